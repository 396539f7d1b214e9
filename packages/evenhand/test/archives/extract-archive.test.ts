import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { extractArchive } from '../../src/archives/extract-archive.js';
import { UserError } from '../../src/user-error.js';
import { craftedArchive, type Entry } from './crafted-archive.js';

const LIMITS = { maximumBytes: 1_000_000, maximumEntries: 100 };

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'evenhand-archive-'));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function archiveOf(entries: readonly Entry[], name = 'a.tar'): string {
  const bytes = craftedArchive(entries);
  const file = join(root, name);
  writeFileSync(file, name.endsWith('.tar') ? bytes : gzipSync(bytes));
  return file;
}

/** Everything below the test's folder. */
function tree(): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
}

async function refusalOf(archive: string, limits = LIMITS): Promise<string> {
  const before = tree();
  const error: unknown = await extractArchive(archive, join(root, 'out'), limits).catch((reason: unknown) => reason);
  expect(tree()).toEqual(before);
  expect(error).toBeInstanceOf(UserError);
  return error instanceof UserError ? error.message : '';
}

describe('extractArchive', () => {
  it.each(['a.tar', 'a.tar.gz', 'a.tgz'])('unpacks files and folders of %s', async (name) => {
    const archive = archiveOf(
      [
        { path: 'top/', type: 'Directory', mode: 0o755 },
        { path: 'top/one.txt', content: 'one' },
        { path: 'top/deep/two.txt', content: 'two' },
      ],
      name,
    );
    await extractArchive(archive, join(root, 'out'), LIMITS);
    expect(tree()).toEqual([name, 'out', 'out/top', 'out/top/deep', 'out/top/deep/two.txt', 'out/top/one.txt'].sort());
    expect(readFileSync(join(root, 'out/top/deep/two.txt'), 'utf8')).toBe('two');
  });

  it('unpacks neither setuid bits nor files that cannot be read', async () => {
    const archive = archiveOf([
      { path: 'setuid', mode: 0o4755 },
      { path: 'locked', mode: 0o000 },
    ]);
    await extractArchive(archive, join(root, 'out'), LIMITS);
    expect(statSync(join(root, 'out/setuid')).mode & 0o7000).toBe(0);
    expect(statSync(join(root, 'out/locked')).mode & 0o600).toBe(0o600);
  });

  const good: Entry = { path: 'good.txt', content: 'good' };
  const evil: [string, Entry, string][] = [
    ['../', { path: '../evil.txt', content: 'x' }, '"../evil.txt" leads outside the folder'],
    ['../ further in', { path: 'a/../../evil.txt', content: 'x' }, '"a/../../evil.txt" leads outside the folder'],
    ['../ in an extended header', { path: '../evil.txt', content: 'x', extended: true }, '"../evil.txt" leads outside'],
    ['..\\', { path: '..\\evil.txt', content: 'x' }, '"..\\\\evil.txt" leads outside the folder'],
    ['an absolute path', { path: '/tmp/evil.txt', content: 'x' }, '"/tmp/evil.txt" has an absolute path'],
    ['a drive letter', { path: 'C:evil.txt', content: 'x' }, '"C:evil.txt" has an absolute path'],
    ['a symbolic link', { path: 'link', type: 'SymbolicLink', linkpath: '/etc' }, '"link" is a SymbolicLink'],
    ['a hard link', { path: 'link', type: 'Link', linkpath: 'good.txt' }, '"link" is a Link'],
    ['a device', { path: 'null', type: 'CharacterDevice' }, '"null" is a CharacterDevice'],
    ['a pipe', { path: 'pipe', type: 'FIFO' }, '"pipe" is a FIFO'],
    [
      'a name with a NUL',
      { path: 'a\0\n\0b', content: 'x' }, // what follows the first one is cut off, to the end of the line
      '"a\\n\\u0000"… has a name that no file can have',
    ],
    ['an exotic entry', { path: 'volume', type: 'TapeVolumeHeader' }, '"volume" is a TapeVolumeHeader'],
  ];
  it.each(evil)('fault 29: refuses the whole archive for %s', async (_, entry, expected) => {
    const message = await refusalOf(archiveOf([good, entry, { ...good, path: 'later.txt' }], 'a.tgz'));
    expect(message).toContain(`a.tgz: its entry ${expected}`);
    expect(message).toContain('Nothing was unpacked');
  });

  it('fault 30: refuses a decompression bomb by the bytes that come out', async () => {
    const archive = archiveOf([{ path: 'zeros', content: new Uint8Array(50_000_000) }], 'bomb.tgz');
    expect(statSync(archive).size).toBeLessThan(100_000);
    expect(await refusalOf(archive)).toContain('bomb.tgz: it unpacks to more than 1000000 bytes');
  });

  it('fault 30: refuses an archive compressed twice that hides its size from the outer layer', async () => {
    const archive = join(root, 'twice.tar.gz');
    writeFileSync(
      archive,
      gzipSync(gzipSync(craftedArchive([{ path: 'zeros', content: new Uint8Array(50_000_000) }]))),
    );
    expect(await refusalOf(archive)).toContain('no tar archive');
  });

  it('fault 30: adds up the bytes of all entries', async () => {
    const entries = Array.from({ length: 11 }, (_, i) => ({ path: `${i}`, content: new Uint8Array(100_000) }));
    expect(await refusalOf(archiveOf(entries))).toContain('more than 1000000 bytes');
    await extractArchive(archiveOf(entries.slice(1)), join(root, 'out'), LIMITS);
    expect(readdirSync(join(root, 'out'))).toHaveLength(10);
  });

  it('fault 30: refuses too many entries', async () => {
    const entries = Array.from({ length: 101 }, (_, i) => ({ path: `${i}` }));
    expect(await refusalOf(archiveOf(entries))).toContain('it has more than 100 entries');
  });

  it.each([
    ['text', Buffer.from('no archive at all\n'.repeat(100))],
    ['a truncated archive', craftedArchive([{ path: 'a', content: 'x'.repeat(5000) }]).subarray(0, 3000)],
    ['a truncated gzip file', gzipSync(craftedArchive([good])).subarray(0, 60)],
  ])('refuses %s', async (_, bytes) => {
    const archive = join(root, 'a.tgz');
    writeFileSync(archive, bytes);
    expect(await refusalOf(archive)).toContain('a.tgz: it is damaged, or no tar archive');
  });

  it('says so if the archive cannot be opened', async () => {
    expect(await refusalOf(join(root, 'absent.tgz'))).toContain('absent.tgz: it cannot be read');
  });

  it('leaves nothing behind if writing fails', async () => {
    // A file and a folder of the same name cannot both be written.
    const archive = archiveOf([good, { path: 'good.txt/inside', content: 'x' }]);
    expect(await refusalOf(archive)).toContain('a.tar: unpacking it failed');
  });
});

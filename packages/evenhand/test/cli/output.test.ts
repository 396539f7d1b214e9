import { execFileSync, spawn } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTable } from '../training/problem.js';
import { evenhand, SMALL } from './evenhand.js';

let cwd = '';
/** What is predicted. */
let csv = '';

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'evenhand-cli-'));
  await writeTable(cwd);
  const train = ['train', 'table.csv', '--target', 'class', '--run', 'run', ...SMALL];
  expect(await evenhand(train, { cwd })).toMatchObject({ code: 0 });
  await cp(join(cwd, 'run'), join(cwd, 'other'), { recursive: true });
  const config = join(cwd, 'other', 'config.json');
  await writeFile(config, (await readFile(config, 'utf8')).replace('"seed": 0', '"seed": 1'));
  csv = (await evenhand(['predict', 'run', 'table.csv', '--quiet'], { cwd })).stdout;
  expect(csv.split('\n')).toHaveLength(182);
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

describe.skipIf(process.platform === 'win32')('fault 52: --out', () => {
  it('of predict writes to a pipe, a device, the target of a link, and keeps permissions', async () => {
    const predict = (out: string) => evenhand(['predict', 'run', 'table.csv', '--out', out, '--quiet'], { cwd });
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const reader = spawn('cat', [join(cwd, 'pipe')]);
    const [received, ending] = await Promise.all([text(reader.stdout), predict('pipe')]);
    expect([received, ending.code]).toEqual([csv, 0]);
    expect((await stat(join(cwd, 'pipe'))).isFIFO()).toBe(true);

    await writeFile(join(cwd, 'private.csv'), '');
    await chmod(join(cwd, 'private.csv'), 0o600);
    await symlink('private.csv', join(cwd, 'link.csv'));
    expect(await predict('link.csv')).toMatchObject({ code: 0 });
    expect(await readFile(join(cwd, 'private.csv'), 'utf8')).toBe(csv);
    expect((await stat(join(cwd, 'private.csv'))).mode & 0o777).toBe(0o600);

    expect(await predict('/dev/null')).toMatchObject({ code: 0 });
    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
    expect(await predict('/dev/full')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^evenhand: cannot write \/dev\/full: the disk is full/),
    });
  });

  it.each([
    [
      'its own input',
      ['predict', 'run', 'table.csv'],
      './table.csv',
      'it is the same file as table.csv, which is read',
    ],
    ['its own model', ['predict', 'run', 'table.csv'], 'run/model.onnx', 'it is the same file as run/model.onnx'],
    ['a folder that is not there', ['predict', 'run', 'table.csv'], 'nodir/x.csv', 'its folder is not there'],
    ['a folder', ['predict', 'run', 'table.csv'], 'run', 'it is a folder'],
    ['nothing', ['predict', 'run', 'table.csv'], '', 'the name of the file to write is empty'],
    [
      'what it compares',
      ['report', 'run', 'other'],
      'run/evaluation.json',
      'it is the same file as run/evaluation.json',
    ],
    ['a folder that is not there', ['report', 'run', 'other'], 'nodir/x.html', 'its folder is not there'],
  ])('that names %s is refused by %j, and nothing is changed', async (_, args, out, message) => {
    const before = await readdir(cwd, { recursive: true });
    const table = await readFile(join(cwd, 'table.csv'));
    const { code, stdout, stderr } = await evenhand([...args, '--out', out], { cwd });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('internal');
    expect([code, stdout]).toEqual([2, '']);
    expect(await readdir(cwd, { recursive: true })).toEqual(before);
    expect(await readFile(join(cwd, 'table.csv'))).toEqual(table);
  });

  it('of report writes the target of a link', async () => {
    await mkdir(join(cwd, 'pages'));
    await symlink('pages/page.html', join(cwd, 'page.html'));
    const { code, stderr } = await evenhand(['report', 'run', 'other', '--out', 'page.html', '--quiet'], { cwd });
    expect(code, stderr).toBe(0);
    expect(await readFile(join(cwd, 'pages', 'page.html'), 'utf8')).toContain('<!doctype html>');
  });
});

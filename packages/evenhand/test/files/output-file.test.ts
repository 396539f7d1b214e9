import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, link, lstat, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { prepareOutput } from '../../src/files/output-file.js';
import { smallDisk, temporaryFolder } from '../runs/examples.js';

async function write(path: string, data: string, inputs: readonly string[] = []): Promise<void> {
  await (await prepareOutput(path, inputs))(data);
}

describe.skipIf(process.platform === 'win32')('fault 52: an output', () => {
  it('that is a device is written to and stays one', async () => {
    await write('/dev/null', 'x');
    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
    await expect(write('/dev/full', 'x')).rejects.toThrow('cannot write /dev/full: the disk is full');
    expect((await stat('/dev/full')).isCharacterDevice()).toBe(true);
  });

  it('that is a named pipe goes to its reader, and the pipe stays one', async () => {
    const pipe = join(await temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = spawn('cat', [pipe]);
    onTestFinished(() => void reader.kill('SIGKILL'));
    const long = 'x'.repeat(200_000);
    const [received] = await Promise.all([text(reader.stdout), write(pipe, long)]);
    expect(received).toBe(long);
    expect((await stat(pipe)).isFIFO()).toBe(true);
  });

  it('that is a link goes to the target of the link, whether it exists or not', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'real'));
    await writeFile(join(folder, 'real', 'old.csv'), 'old');
    await symlink('real/old.csv', join(folder, 'a.csv'));
    await symlink('real/new.csv', join(folder, 'b.csv'));
    for (const name of ['a.csv', 'b.csv']) await write(join(folder, name), name);
    expect(await readlink(join(folder, 'a.csv'))).toBe('real/old.csv');
    expect(await readlink(join(folder, 'b.csv'))).toBe('real/new.csv');
    expect(await readFile(join(folder, 'real', 'old.csv'), 'utf8')).toBe('a.csv');
    expect(await readFile(join(folder, 'real', 'new.csv'), 'utf8')).toBe('b.csv');
    expect((await readdir(join(folder, 'real'))).sort()).toEqual(['new.csv', 'old.csv']);
  });

  it.each([0o600, 0o640, 0o664])('that is there keeps its permissions, %o', async (mode) => {
    const path = join(await temporaryFolder(), 'out.csv');
    await writeFile(path, 'old');
    await chmod(path, mode);
    await write(path, 'new');
    expect([await readFile(path, 'utf8'), (await stat(path)).mode & 0o777]).toEqual(['new', mode]);
  });

  it('that is an input is refused before anything is done, by whatever name', async () => {
    const folder = await temporaryFolder();
    const input = join(folder, 'in.csv');
    await writeFile(input, 'precious');
    await link(input, join(folder, 'hard.csv'));
    await symlink('in.csv', join(folder, 'soft.csv'));
    for (const name of ['in.csv', 'hard.csv', 'soft.csv', `../${folder.split('/').at(-1)}/in.csv`]) {
      const path = `${folder}/${name}`;
      await expect(prepareOutput(path, [join(folder, 'nowhere.csv'), input])).rejects.toThrow(
        `cannot write ${path}: it is the same file as ${input}, which is read; choose another path`,
      );
    }
    expect(await readFile(input, 'utf8')).toBe('precious');
    await write('/dev/null', 'x', ['/dev/null']); // devices hold nothing
  });

  it('whose folder is not there, or is a file, is refused before anything is done', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'nodir', 'out.csv');
    await expect(prepareOutput(path)).rejects.toThrow(
      `cannot write ${path}: its folder is not there; make it first, or choose another path`,
    );
    await writeFile(join(folder, 'file'), '');
    await expect(prepareOutput(join(folder, 'file', 'out.csv'))).rejects.toThrow('a part of this path is a file');
    expect(await readdir(folder)).toEqual(['file']);
  });

  it('that is a folder, a socket, a circle of links, or nothing at all is refused', async () => {
    const folder = await temporaryFolder();
    await expect(prepareOutput(folder)).rejects.toThrow(`cannot write ${folder}: it is a folder; expected a file`);
    const socket = join(folder, 'socket');
    const server = createServer().listen(socket);
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    await expect(prepareOutput(socket)).rejects.toThrow(`cannot write ${socket}: it is a socket; expected a file`);
    await symlink('loop', join(folder, 'loop'));
    await expect(prepareOutput(join(folder, 'loop'))).rejects.toThrow('its links lead in a circle');
    expect((await lstat(join(folder, 'loop'))).isSymbolicLink()).toBe(true);
    await expect(prepareOutput('')).rejects.toThrow('the name of the file to write is empty');
  });

  it('may have the longest name that there is', async () => {
    const folder = await temporaryFolder();
    const name = `${'ü'.repeat(125)}x.csv`; // 255 bytes
    await write(join(folder, name), 'x');
    expect(await readdir(folder)).toEqual([name]);
    const longer = join(folder, `y${name}`);
    await expect(write(longer, 'x')).rejects.toThrow('the name is too long for the file system; choose a shorter one');
  });

  it('that finds the disk full leaves the old file as it was', async (ctx) => {
    const path = join(await smallDisk(ctx, '64k'), 'out.csv');
    await writeFile(path, 'old');
    await expect(write(path, 'x'.repeat(100_000))).rejects.toThrow(`cannot write ${path}: the disk is full`);
    expect(await readFile(path, 'utf8')).toBe('old');
  });
});

import { constants } from 'node:buffer';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readImageFolder } from '../../src/sources/image-folder.js';
import { imageOf, plainImage, pngClaiming } from '../images/crafted-image.js';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'evenhand-folder-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function put(file: string, content: Uint8Array | string): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Two classes, with `count` images each. */
async function putTwoClasses(count = 1): Promise<void> {
  for (let i = 0; i < count; i++) {
    put(`cat/${i}.png`, await plainImage([10, 20, 30]));
    put(`dog/${i}.png`, await plainImage([40, 50, 60]));
  }
}

describe('readImageFolder', () => {
  it('reads one class a sub-folder, in the order of names', async () => {
    put('dog/b.jpg', await plainImage([1, 1, 1], { format: 'jpeg' }));
    put('dog/a.webp', await imageOf(new Array(192).fill(2), { width: 8, channels: 3, format: 'webp' }));
    put('cat/z.PNG', await plainImage([3, 4, 5]));
    const dataset = await readImageFolder(folder);
    expect(dataset).toMatchObject({ kind: 'images', name: basename(folder), shape: [3, 8, 8], notes: [] });
    expect(dataset.classNames).toEqual(['cat', 'dog']);
    expect(dataset.files).toEqual(['cat/z.PNG', 'dog/a.webp', 'dog/b.jpg']);
    expect(dataset.labels).toEqual(Int32Array.of(0, 1, 1));
    const firstPixels = [0, 64, 128, 192].map((at) => dataset.pixels[at]);
    expect(firstPixels).toEqual([3, 4, 5, 2]);
    expect(dataset.pixels).toHaveLength(3 * 192);
  });

  it('gives the same data set, and the same hash, every time', async () => {
    for (let i = 0; i < 40; i++) put(`${i % 3}/${i}.png`, await plainImage([i, 0, 0]));
    const first = await readImageFolder(folder);
    expect(await readImageFolder(folder)).toEqual(first);
    put('0/0.png', await plainImage([200, 0, 0]));
    expect((await readImageFolder(folder)).contentHash).not.toBe(first.contentHash);
  });

  it('fault 34: orders classes that are numbers by their value, and takes any name', async () => {
    for (const name of ['10', '9']) put(`${name}/a.png`, await plainImage([1, 2, 3]));
    expect((await readImageFolder(folder)).classNames).toEqual(['9', '10']);
    for (const name of ['__proto__', 'toString']) put(`${name}/a.png`, await plainImage([1, 2, 3]));
    expect((await readImageFolder(folder)).classNames).toEqual(['10', '9', '__proto__', 'toString']);
  });

  it('keeps one common size of at most 64, else takes 32, unless told', async () => {
    put('a/1.png', await plainImage([1, 2, 3], { width: 64, height: 48 }));
    put('b/1.png', await plainImage([1, 2, 3], { width: 64, height: 48 }));
    expect(await readImageFolder(folder)).toMatchObject({ shape: [3, 48, 64], notes: [] });
    expect((await readImageFolder(folder, { size: 20 })).shape).toEqual([3, 20, 20]);
    put('b/2.png', await plainImage([1, 2, 3], { width: 48, height: 64 }));
    expect(await readImageFolder(folder)).toMatchObject({
      shape: [3, 32, 32],
      notes: ['3 of 3 images were scaled and cropped to 32 × 32 pixels (option size)'],
    });
    rmSync(join(folder, 'b/2.png'));
    for (const name of ['a', 'b']) put(`${name}/1.png`, await plainImage([1, 2, 3], { width: 65, height: 65 }));
    expect((await readImageFolder(folder)).shape).toEqual([3, 32, 32]);
  });

  it('has one channel only if all images are grey, unless told', async () => {
    put('a/1.png', await imageOf([1, 2, 3, 4], { width: 2, channels: 1 }));
    put('b/1.png', await imageOf([5, 6, 7, 8], { width: 2, channels: 1 }));
    expect(await readImageFolder(folder)).toMatchObject({
      shape: [1, 2, 2],
      pixels: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
    });
    expect((await readImageFolder(folder, { channels: 3 })).shape).toEqual([3, 2, 2]);
    put('b/2.png', await plainImage([1, 2, 3], { width: 2, height: 2 }));
    expect((await readImageFolder(folder)).shape).toEqual([3, 2, 2]);
    expect((await readImageFolder(folder, { channels: 1 })).shape).toEqual([1, 2, 2]);
  });

  it('tells how far it is', async () => {
    await putTwoClasses(3);
    put('cat/readme.txt', 'text');
    const steps: [number, number][] = [];
    await readImageFolder(folder, { onProgress: (done, total) => steps.push([done, total]) });
    expect(steps.at(-1)).toEqual([14, 14]);
    expect(steps.map(([done]) => done)).toEqual([...steps.map(([done]) => done)].sort((a, b) => a - b));
  });

  it('fault 26: lists and skips images that cannot be read', async () => {
    await putTwoClasses(30);
    const complete = await imageOf(
      Array.from({ length: 3 * 900 }, (_, i) => (i * i) % 251),
      { width: 30, channels: 3 },
    );
    put('cat/1a-truncated.png', complete.subarray(0, complete.length / 2));
    put('cat/1b-empty.jpg', '');
    put('dog/1c-text.webp', 'no image');
    put('dog/1d-corrupt.jpg', Buffer.concat([Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), Buffer.alloc(200)]));
    const dataset = await readImageFolder(folder, { size: 8 });
    expect(dataset.labels).toHaveLength(60);
    expect(dataset.files).not.toContain('cat/1a-truncated.png');
    const note = dataset.notes[1];
    expect(note).toMatch(
      /^4 of 64 images cannot be read and were skipped: cat\/1a-truncated\.png: the image cannot be decoded/,
    );
    expect(note).toContain('; cat/1b-empty.jpg: the file is empty; ');
    expect(note).toContain('; dog/1c-text.webp: the content is not a JPEG, PNG or WebP image; ');
    expect(note).toContain('; dog/1d-corrupt.jpg: the image cannot be decoded (');
    // The others are where they belong: every image of a class has the same pixels.
    const firstPixels = Array.from({ length: 60 }, (_, i) => dataset.pixels[i * 192]);
    expect(firstPixels).toEqual([...new Array(30).fill(10), ...new Array(30).fill(40)]);
  });

  it('fault 26: lets the content decide, not the extension', async () => {
    await putTwoClasses();
    put('cat/png-inside.jpg', await plainImage([1, 2, 3]));
    put('cat/without-extension', await plainImage([1, 2, 3], { format: 'webp' }));
    const dataset = await readImageFolder(folder);
    expect(dataset.files).toEqual(['cat/0.png', 'cat/png-inside.jpg', 'cat/without-extension', 'dog/0.png']);
    expect(dataset.notes).toEqual([]);
  });

  it('fault 26: refuses above the share of bad images, with the first twenty', async () => {
    await putTwoClasses(90);
    for (let i = 0; i < 20; i++) put(`cat/bad-${String(i).padStart(2, '0')}.jpg`, '');
    expect((await readImageFolder(folder)).labels).toHaveLength(180);
    put('cat/bad-20.jpg', '');
    const reading = readImageFolder(folder);
    await expect(reading).rejects.toThrow(
      '21 of 201 images cannot be read, more than the share of 0.1 that is skipped:',
    );
    await expect(reading).rejects.toThrow('\ncat/bad-19.jpg: the file is empty\nand 1 more\nRepair or remove them');
    expect((await readImageFolder(folder, { maximumBadShare: 0.2 })).labels).toHaveLength(180);
  });

  it('fault 27: skips an image that claims a billion pixels', async () => {
    await putTwoClasses(10);
    put('cat/bomb.png', pngClaiming(40_000, 25_000));
    expect((await readImageFolder(folder)).notes).toEqual([
      '1 of 21 images cannot be read and were skipped: cat/bomb.png: the header claims 40000 × 25000 pixels; the limit is 100000000',
    ]);
  });

  it('fault 28: refuses an empty class folder', async () => {
    await putTwoClasses();
    mkdirSync(join(folder, 'empty'));
    put('text only/readme.txt', 'text');
    await expect(readImageFolder(folder)).rejects.toThrow(
      `${folder}: no images (JPEG, PNG, WebP) in "empty", "text only"; every sub-folder is a class. Put images there, or remove`,
    );
    const dataset = await readImageFolder(folder, { exclude: ['empty', 'text only'] });
    expect(dataset.classNames).toEqual(['cat', 'dog']);
  });

  it('fault 28: counts images in nested folders to the class on top', async () => {
    await putTwoClasses();
    put('cat/young/very/a.png', await plainImage([1, 2, 3]));
    const dataset = await readImageFolder(folder);
    expect(dataset.files).toEqual(['cat/0.png', 'cat/young/very/a.png', 'dog/0.png']);
    expect(dataset.labels).toEqual(Int32Array.of(0, 0, 1));
  });

  it('fault 28: does not follow links to folders, so that a loop ends', async () => {
    await putTwoClasses();
    symlinkSync(folder, join(folder, 'cat', 'loop'));
    symlinkSync('.', join(folder, 'loop'));
    const dataset = await readImageFolder(folder);
    expect(dataset.files).toEqual(['cat/0.png', 'dog/0.png']);
    expect(dataset.notes).toEqual(['Links to folders are not followed: loop, cat/loop']);
  });

  it('fault 28: follows links to files; one that leads nowhere cannot be read', async () => {
    await putTwoClasses(10);
    symlinkSync(join('..', 'dog', '0.png'), join(folder, 'cat', 'like-dog.png'));
    symlinkSync('self.png', join(folder, 'cat', 'self.png'));
    const dataset = await readImageFolder(folder);
    expect(dataset.files).toContain('cat/like-dog.png');
    expect(dataset.notes[0]).toMatch(
      /^1 of 22 images cannot be read and were skipped: cat\/self\.png: the file cannot be opened/,
    );
  });

  it('ignores hidden files, other files and what is no file, and counts them', async () => {
    await putTwoClasses();
    for (const file of ['cat/Thumbs.db', 'cat/.DS_Store', 'cat/notes.txt', 'dog/notes.TXT', 'top.png']) put(file, 'x');
    put('.git/config', 'x');
    const socket = createServer().listen(join(folder, 'cat', 'socket.png'));
    await once(socket, 'listening');
    const dataset = await readImageFolder(folder);
    socket.close();
    expect(dataset.files).toEqual(['cat/0.png', 'dog/0.png']);
    expect(dataset.notes).toEqual([
      '6 files (2 hidden, 2 .txt, 1 .png, 1 .db) that are no JPEG, PNG or WebP images of a class were ignored',
      'Only files are read: cat/socket.png is a socket',
    ]);
  });

  it('refuses a folder without sub-folders, and one that is not there', async () => {
    put('a.png', await plainImage([1, 2, 3]));
    await expect(readImageFolder(folder)).rejects.toThrow(
      `${folder} has no class folders; expected one sub-folder per class`,
    );
    const absent = join(folder, 'absent');
    await expect(readImageFolder(absent)).rejects.toThrow(`${absent} cannot be read as a folder (ENOENT`);
  });

  it('refuses options that make no sense', async () => {
    await expect(readImageFolder(folder, { size: 0 })).rejects.toThrow(
      'option size is 0; expected a whole number from 1',
    );
    await expect(readImageFolder(folder, { maximumBadShare: 10 })).rejects.toThrow(
      'option maximumBadShare is 10; expected a number from 0 to 1',
    );
  });

  it('refuses a size for which there is no memory', async () => {
    const imageBytes = 3 * 4096 * 4096;
    const count = Math.ceil(Math.min(totalmem(), constants.MAX_LENGTH) / imageBytes) + 1;
    for (let i = 0; i < count; i++) put(`${i % 2}/${i}.png`, pngClaiming(8, 8));
    const gigabytes = ((count * imageBytes) / 1e9).toFixed(1);
    await expect(readImageFolder(folder, { size: 4096 })).rejects.toThrow(
      `${count} images of 3 × 4096 × 4096 take ${gigabytes} GB; here is room for`,
    );
  });
});

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainImage } from '../images/crafted-image.js';
import { writeTable } from '../training/problem.js';
import { evenhand, SMALL } from './evenhand.js';

const IMAGE_RUN = [
  '--model',
  'lenet5',
  '--epochs',
  '1',
  '--threads',
  '1',
  '--image-size',
  '16',
  '--quiet',
  '--no-report',
];

/** An image may not be larger than this. */
const MAXIMUM_IMAGE_BYTES = 800_000_000;

let cwd = '';
const server = createServer();

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'evenhand-cli-'));
  const inFolder = (name: string) => join(cwd, name);
  await writeTable(cwd);
  const train = ['train', 'table.csv', '--target', 'class', '--run', 'run', ...SMALL];
  expect(await evenhand(train, { cwd })).toMatchObject({ code: 0 });

  for (const name of ['pipe.csv', 'pipe.onnx', 'pipe.json', 'pipe.png']) execFileSync('mkfifo', [inFolder(name)]);
  server.listen(inFolder('socket.csv'));
  await once(server, 'listening');
  await symlink('/dev/zero', inFolder('zero.csv'));
  await symlink('loop.csv', inFolder('loop.csv'));
  await cp(inFolder('run'), inFolder('piped'), { recursive: true });
  await rm(inFolder('piped/config.json'));
  execFileSync('mkfifo', [inFolder('piped/config.json')]);
  for (const file of ['mnist/t10k-labels-idx1-ubyte', 'cifar-10-batches-bin/data_batch_1.bin']) {
    await mkdir(join(cwd, 'data', file, '..'), { recursive: true });
    execFileSync('mkfifo', [join(cwd, 'data', file)]);
  }
  for (const part of ['train-images-idx3-ubyte', 'train-labels-idx1-ubyte', 't10k-images-idx3-ubyte']) {
    execFileSync('mkfifo', [join(cwd, 'data/mnist', part)]);
  }

  for (const [name, colour] of [
    ['cat', [200, 0, 0]],
    ['dog', [0, 0, 200]],
  ] as const) {
    await mkdir(inFolder(`photos/${name}`), { recursive: true });
    for (let i = 0; i < 24; i++) {
      const [r, g, b] = colour;
      await writeFile(inFolder(`photos/${name}/${i}.png`), await plainImage([r + i, g + i, b + i]));
    }
  }
  const photos = ['train', 'photos', '--run', 'photo-run', ...IMAGE_RUN];
  expect(await evenhand(photos, { cwd })).toMatchObject({ code: 0 });
  // What no command can read, among what it can.
  await mkdir(inFolder('photos/cat/deep'));
  await symlink('..', inFolder('photos/cat/deep/loop'));
  execFileSync('mkfifo', [inFolder('photos/cat/pipe.png')]);
  await symlink('/dev/zero', inFolder('photos/dog/zero.png'));
  await writeFile(inFolder('photos/dog/large.png'), await plainImage([1, 2, 3]));
  await truncate(inFolder('photos/dog/large.png'), MAXIMUM_IMAGE_BYTES + 1);
});

afterAll(async () => {
  server.close();
  await rm(cwd, { recursive: true, force: true });
});

describe.skipIf(process.platform === 'win32')(
  'fault 37: what is no file is refused by name, and nothing waits:',
  () => {
    it.each<[args: string[], message: string]>([
      [['check', 'pipe.csv'], 'pipe.csv is a named pipe; a CSV, TSV, JSON lines or Parquet file is expected'],
      [['check', 'pipe.csv', '--target', 'class'], 'pipe.csv is a named pipe'],
      [['train', 'pipe.csv', '--target', 'class'], 'pipe.csv is a named pipe'],
      [['predict', 'run', 'pipe.csv'], 'pipe.csv is a named pipe'],
      [['evaluate', 'run', 'pipe.csv'], 'pipe.csv is a named pipe'],
      [['train', 'zero.csv', '--target', 'class'], 'zero.csv is a device'],
      [['predict', 'run', 'zero.csv'], 'zero.csv is a device'],
      [['evaluate', 'run', 'socket.csv'], 'socket.csv is a socket'],
      [
        ['train', 'loop.csv', '--target', 'class'],
        'data.source is "loop.csv", a link that leads nowhere, or in a circle',
      ],
      [['predict', 'run', 'loop.csv'], 'loop.csv cannot be read (ELOOP'],
      [['predict', 'pipe.onnx', 'table.csv'], 'pipe.onnx is a named pipe; an ordinary file is expected'],
      [['train', '--config', 'pipe.json'], 'pipe.json is a named pipe'],
      [['resume', 'piped'], 'piped/config.json is a named pipe'],
      [['compare', 'piped'], 'piped/config.json is a named pipe'],
      [['report', 'piped'], 'piped/config.json is a named pipe'],
      [['evaluate', 'piped', 'table.csv'], 'piped/config.json is a named pipe'],
      [['predict', 'photo-run', 'pipe.png'], 'pipe.png is a named pipe'],
      [['check', 'mnist'], '-ubyte is a named pipe'],
      [['train', 'cifar10'], 'data_batch_1.bin is a named pipe'],
    ])('%j', async (args, message) => {
      const { code, stdout, stderr } = await evenhand(args, { cwd, env: { EVENHAND_DATA: join(cwd, 'data') } });
      expect(stderr).toContain(message);
      expect(stderr).not.toContain('internal');
      expect([code, stdout]).toEqual([2, '']);
    });

    const named = [
      'Links to folders are not followed: cat/deep/loop',
      'Only files are read: cat/pipe.png is a named pipe, dog/zero.png is a device',
      `dog/large.png: the file has ${MAXIMUM_IMAGE_BYTES + 1} bytes; the limit is ${MAXIMUM_IMAGE_BYTES}`,
    ];

    it.each<[args: string[]]>([
      [['check', 'photos']],
      [['train', 'photos', '--run', 'again', ...IMAGE_RUN.filter((word) => word !== '--quiet')]],
      [['evaluate', 'photo-run', 'photos']],
    ])('in a folder of images it is skipped and named by %j', async (args) => {
      const { code, stdout, stderr } = await evenhand(args, { cwd });
      for (const text of named) expect(`${stdout}${stderr}`).toContain(text);
      expect(code).toBe(0);
    });

    it('in a folder of images it is skipped and named by predict, which predicts the others once', async () => {
      const { code, stdout, stderr } = await evenhand(['predict', 'photo-run', 'photos'], { cwd });
      const [links = '', others = ''] = named;
      expect(stderr).toContain(`note: ${links}\n`);
      expect(stderr).toContain(`note: ${others}\n`);
      expect(stderr).toContain(`has ${MAXIMUM_IMAGE_BYTES + 1} bytes; expected at most ${MAXIMUM_IMAGE_BYTES}`);
      expect(code).toBe(0);
      expect(stdout.trim().split('\n')).toHaveLength(1 + 48);
    });
  },
);

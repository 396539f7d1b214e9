import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSafetensors, writeSafetensors } from '@evenhand/engine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { appendJsonLine, readJsonLines } from '../../src/files/json-lines.js';
import { loadCheckpoint, saveCheckpoint } from '../../src/runs/checkpoint.js';
import { exampleCheckpoint, smallDisk, temporaryFolder, versionOf } from './examples.js';

async function runWith(...versions: readonly number[]): Promise<string> {
  const run = await temporaryFolder();
  await mkdir(join(run, 'checkpoints'));
  for (const version of versions) await saveCheckpoint(run, 'last', exampleCheckpoint(version));
  return run;
}

const numbers = z.custom<readonly number[]>(Array.isArray);
const MATRICES = z.looseObject({ generatorMatrix: numbers, softConfusionMatrix: numbers });

const lastOf = (run: string) => join(run, 'checkpoints', 'last.safetensors');

it('gives back every tensor and all progress', async () => {
  const run = await runWith();
  const saved = exampleCheckpoint(5);
  await saveCheckpoint(run, 'best', saved);
  expect(await loadCheckpoint(run, 'best')).toEqual({ checkpoint: saved });
});

it('is a safetensors file that other tools read', async () => {
  const run = await runWith(1);
  const { tensors } = readSafetensors(await readFile(lastOf(run)));
  expect([...tensors.keys()].sort()).toEqual(['bias', 'method/generator', 'weight']);
});

describe('fault 54: what a method remembers', () => {
  const PROGRESS = exampleCheckpoint(1).progress;

  it('is saved with matrices of 2,000 classes, and given back exactly', async () => {
    const run = await runWith();
    // As an encoder has them: written out as JSON the two are 180 MB, where the header of a file may have 100.
    const generatorMatrix = Array.from({ length: 2000 ** 2 }, (_, i) => 1 / (i + 3));
    const softConfusionMatrix = generatorMatrix.map((entry) => entry / 7);
    const rest = { format: 'encoder', epoch: 3, staleClasses: [], updated: true };
    const { state } = exampleCheckpoint(1);
    const method = { ...rest, generatorMatrix, softConfusionMatrix };
    await saveCheckpoint(run, 'last', { state, progress: { ...PROGRESS, method } });
    const loaded = await loadCheckpoint(run, 'last');
    const {
      generatorMatrix: generator,
      softConfusionMatrix: softConfusion,
      ...others
    } = MATRICES.parse(loaded?.checkpoint.progress.method);
    expect(others).toEqual(rest);
    for (const [restored, saved] of [
      [generator, generatorMatrix],
      [softConfusion, softConfusionMatrix],
    ] as const) {
      expect(restored).toHaveLength(2000 ** 2);
      expect(restored.every((entry, i) => entry === saved[i])).toBe(true);
    }
    expect(loaded?.checkpoint.state).toEqual(state);
  });

  it('is read from a checkpoint of version 1 too, which has all of it in its progress', async () => {
    const run = await runWith(1);
    const { tensors, metadata } = readSafetensors(await readFile(lastOf(run)));
    const before = new Map([...tensors].filter(([name]) => !name.startsWith('method/')));
    const old = new Map([...metadata, ['evenhand-checkpoint', '1'], ['progress', JSON.stringify(PROGRESS)]]);
    await writeFile(lastOf(run), writeSafetensors(before, old));
    expect(await loadCheckpoint(run, 'last')).toEqual({ checkpoint: exampleCheckpoint(1) });
  });
});

it('there is none before the first one is saved', async () => {
  const run = await runWith();
  expect(await loadCheckpoint(run, 'last')).toBeUndefined();
  expect(await loadCheckpoint(run, 'best')).toBeUndefined();
});

it('last and best do not touch each other', async () => {
  const run = await runWith(1, 2);
  await saveCheckpoint(run, 'best', exampleCheckpoint(1));
  await saveCheckpoint(run, 'last', exampleCheckpoint(3));
  expect(versionOf((await loadCheckpoint(run, 'best'))?.checkpoint ?? exampleCheckpoint(0))).toBe(1);
  expect(versionOf((await loadCheckpoint(run, 'last'))?.checkpoint ?? exampleCheckpoint(0))).toBe(3);
});

it.each([
  [Number.NEGATIVE_INFINITY, '-Infinity'],
  [undefined, 'undefined'],
  [new Float32Array(2), 'Float32Array'],
])('refuses to save %o, which JSON cannot hold, and keeps the old checkpoint', async (best, received) => {
  const run = await runWith(1);
  const { state, progress } = exampleCheckpoint(2);
  const wrong = { state, progress: { ...progress, training: { best } } };
  await expect(saveCheckpoint(run, 'last', wrong)).rejects.toThrow(
    `internal: "best" in a checkpoint's progress is ${received}; expected what JSON can hold`,
  );
  expect((await loadCheckpoint(run, 'last'))?.checkpoint.progress.globalStep).toBe(1);
});

describe('fault 3: a damaged checkpoint', () => {
  it('falls back to the previous one, whatever bit has flipped, and the warning names the file', async () => {
    const run = await runWith(1, 2);
    const whole = await readFile(lastOf(run));
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(7), async (place, bit) => {
        const damaged = Buffer.from(whole);
        damaged[place] = (damaged[place] ?? 0) ^ (1 << bit);
        await writeFile(lastOf(run), damaged);
        const loaded = await loadCheckpoint(run, 'last');
        expect(loaded?.checkpoint.progress.globalStep).toBe(1);
        expect(loaded?.warning).toContain(`${lastOf(run)} cannot be read: `);
        expect(loaded?.warning).toContain('previous.safetensors is used instead, which is in epoch 3 after 4 steps');
      }),
    );
  });

  it('falls back wherever the file was cut off', async () => {
    const run = await runWith(1, 2);
    const whole = await readFile(lastOf(run));
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), async (length) => {
        await writeFile(lastOf(run), whole.subarray(0, length));
        expect((await loadCheckpoint(run, 'last'))?.checkpoint.progress.globalStep).toBe(1);
      }),
    );
  });

  it('says that its checksum is wrong', async () => {
    const run = await runWith(1, 2);
    const damaged = await readFile(lastOf(run));
    damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
    await writeFile(lastOf(run), damaged);
    expect((await loadCheckpoint(run, 'last'))?.warning).toMatch(/its checksum is crc32:[0-9a-f]{8}, expected crc32:/);
  });

  it('is an error that names both files if the previous one is damaged too', async () => {
    const run = await runWith(1, 2);
    const previous = join(run, 'checkpoints', 'previous.safetensors');
    for (const file of [lastOf(run), previous]) await writeFile(file, 'no');
    await expect(loadCheckpoint(run, 'last')).rejects.toThrow(
      `${lastOf(run)} cannot be read: it has 2 bytes; expected at least 8: it is cut off or empty, and ${previous} cannot be ` +
        'read: it has 2 bytes; expected at least 8: it is cut off or empty. There is no other checkpoint: restore a copy, or ' +
        'start a new run',
    );
  });

  it('is an error if it is the best one, which has no other', async () => {
    const run = await runWith(1);
    const best = join(run, 'checkpoints', 'best.safetensors');
    await writeFile(best, '');
    await expect(loadCheckpoint(run, 'best')).rejects.toThrow(`${best} cannot be read: it has 0 bytes`);
  });
});

it('fault 15: a checkpoint of a newer version is refused by name, not replaced by the previous one', async () => {
  const run = await runWith(1, 2);
  const { tensors, metadata } = readSafetensors(await readFile(lastOf(run)));
  await writeFile(lastOf(run), writeSafetensors(tensors, new Map([...metadata, ['evenhand-checkpoint', '3']])));
  await expect(loadCheckpoint(run, 'last')).rejects.toThrow(
    `${lastOf(run)} was written by a newer version of evenhand: it is a checkpoint of version 3, and this one reads up to 2. ` +
      'Update evenhand and try again',
  );
});

it('a safetensors file that is no checkpoint is refused', async () => {
  const run = await runWith();
  await writeFile(lastOf(run), writeSafetensors(new Map()));
  await expect(loadCheckpoint(run, 'last')).rejects.toThrow(`${lastOf(run)} is not a checkpoint; expected a file`);
});

it('fault 11: on a full disk saving fails clearly, the last good checkpoint and the metrics stay', async (ctx) => {
  const run = await smallDisk(ctx, '2m');
  const metrics = join(run, 'metrics.jsonl');
  await mkdir(join(run, 'checkpoints'));
  for (const version of [1, 2, 3]) await saveCheckpoint(run, 'last', exampleCheckpoint(version, 125_000));
  await appendJsonLine(metrics, { epoch: 0 });

  await expect(saveCheckpoint(run, 'last', exampleCheckpoint(4, 400_000))).rejects.toThrow(
    `cannot write ${lastOf(run)}: the disk is full, or the quota is used up; free some space and resume. What was there ` +
      'before is kept',
  );
  expect(await readdir(join(run, 'checkpoints'))).toEqual(['last.safetensors', 'previous.safetensors']);
  expect(versionOf((await loadCheckpoint(run, 'last'))?.checkpoint ?? exampleCheckpoint(0))).toBe(3);

  await expect(appendJsonLine(metrics, 'x'.repeat(2_000_000))).rejects.toThrow(
    `cannot write ${metrics}: the disk is full`,
  );
  expect(await readJsonLines(metrics)).toEqual([{ epoch: 0 }]);
  await appendJsonLine(metrics, { epoch: 1 });
  expect(await readJsonLines(metrics)).toEqual([{ epoch: 0 }, { epoch: 1 }]);
});

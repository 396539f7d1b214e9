import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@evenhand/engine';
import { expect, it } from 'vitest';
import { isTemporary, removeTemporaryFiles } from '../../src/files/atomic-file.js';
import { loadCheckpoint } from '../../src/runs/checkpoint.js';
import { RunWriter } from '../../src/runs/run-writer.js';
import { Child } from './child-process.js';
import { exampleCheckpoint, exampleSetting, temporaryFolder, versionOf } from './examples.js';

/** Checkpoints of 1 MB, one after the other from the version that it is told, each said when it is saved. */
const SAVING = `
  import { once } from 'node:events';
  import { writeSync } from 'node:fs';
  const { saveCheckpoint } = await import(dist + 'runs/checkpoint.js');
  const [run] = process.argv.slice(1);
  const [first] = await once(process.stdin, 'data');
  const tensor = (length, version) => ({ shape: [length], data: new Float32Array(length).fill(version) });
  for (let version = Number(first); ; version++) {
    const state = new Map([['weight', tensor(250_000, version)], ['bias', tensor(7, version)]]);
    const progress = {
      epoch: 0, step: 0, globalStep: version, metricsLines: 0, generatorLines: 0,
      configHash: 'c', datasetHash: 'd', method: null, training: null,
    };
    await saveCheckpoint(run, 'last', { state, progress });
    writeSync(1, 'saved ' + version + '\\n');
  }
`;

const KILLS = Number(process.env.EVENHAND_KILLS ?? 12);

it(`fault 1: after SIGKILL at ${KILLS} random moments the last saved or the next checkpoint loads, whole`, {
  timeout: 60_000 + KILLS * 5_000,
}, async () => {
  const run = await temporaryFolder();
  const checkpoints = join(run, 'checkpoints');
  await mkdir(checkpoints);
  const random = seededRandom(1, 'kills');
  let [next, inTheMiddle] = [1, 0];
  let waiting = new Child(SAVING, [run]);
  for (let kill = 0; kill < KILLS; kill++) {
    const child = waiting;
    waiting = new Child(SAVING, [run]); // starts while the other one works
    child.tell(String(next));
    await child.said('saved');
    await sleep(random() * 60);
    child.kill('SIGKILL');
    const { output, signal } = await child.ended();
    expect(signal).toBe('SIGKILL');
    const saved = Number(output.match(/saved (\d+)\n$/)?.[1]);
    const loaded = await loadCheckpoint(run, 'last');
    const version = loaded === undefined ? Number.NaN : versionOf(loaded.checkpoint);
    expect([saved, saved + 1], `kill ${kill}: ${output}`).toContain(version);
    if ((await readdir(checkpoints)).some(isTemporary)) inTheMiddle++;
    await removeTemporaryFiles(checkpoints);
    next = version + 1;
  }
  // Else no kill has met a save, and nothing was tested.
  expect(inTheMiddle).toBeGreaterThan(0);
});

/** Kills its own process when the given rename is about to happen. */
const KILLED_BEFORE_RENAME = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const [run, count] = process.argv.slice(1);
  const { rename } = fs.promises;
  let left = Number(count);
  fs.promises.rename = (from, to) => {
    if (left-- === 0) process.kill(process.pid, 'SIGKILL');
    return rename(from, to);
  };
  syncBuiltinESMExports();
  const { saveCheckpoint } = await import(dist + 'runs/checkpoint.js');
  const progress = {
    epoch: 0, step: 0, globalStep: 2, metricsLines: 0, generatorLines: 0,
    configHash: 'c', datasetHash: 'd', method: null, training: null,
  };
  await saveCheckpoint(run, 'last', { state: new Map(), progress });
`;

it.each([
  ['before the old checkpoint is renamed', '0', ['last.safetensors']],
  ['between the two renames', '1', ['previous.safetensors']],
])('fault 2: killed %s, resume loads the old checkpoint and cleans the temporary file', async (_, renames, left) => {
  const path = join(await temporaryFolder(), 'run');
  const setting = exampleSetting();
  const begun = await RunWriter.create(path, setting);
  await begun.saveCheckpoint('last', exampleCheckpoint(1).state, exampleCheckpoint(1).progress);
  begun.release();

  const { signal, output } = await new Child(KILLED_BEFORE_RENAME, [path, renames]).ended();
  expect(signal, output).toBe('SIGKILL');
  expect((await readdir(join(path, 'checkpoints'))).filter(isTemporary)).toHaveLength(1);

  const { run, checkpoint } = await RunWriter.resume(path, setting);
  run.release();
  expect(checkpoint?.progress.globalStep).toBe(1);
  expect(await readdir(join(path, 'checkpoints'))).toEqual(left);
});

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@evenhand/engine';
import { describe, expect, it } from 'vitest';
import { openRun, resume, train } from '../../src/index.js';
import { Child } from '../runs/child-process.js';
import { temporaryFolder } from '../runs/examples.js';
import { resultsOf, tableConfig, writeTable } from './problem.js';

/** Trains, or goes on, and exits as a command would. Says what happens in lines. */
const TRAINING = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  import { setTimeout as sleep } from 'node:timers/promises';
  const [mode, folder, config, checkpointSeconds, slowDisk] = process.argv.slice(1);
  const { rename } = fs.promises;
  let signal;
  fs.promises.rename = async (from, to) => {
    if (signal?.aborted) await sleep(Number(slowDisk));
    return rename(from, to);
  };
  syncBuiltinESMExports();
  const { train, resume, listenForInterruption, InterruptedError } = await import(dist + 'index.js');
  const interruption = listenForInterruption();
  signal = interruption.signal;
  signal.addEventListener('abort', () => fs.writeSync(1, 'asked\\n'));
  const onEvent = ({ kind, epoch, step, checkpoint, stepsPerEpoch }) =>
    fs.writeSync(1, [kind, epoch, step, checkpoint ?? stepsPerEpoch].join(' ') + '\\n');
  const options = { onEvent, signal, checkpointSeconds: Number(checkpointSeconds) };
  try {
    if (mode === 'train') await train(JSON.parse(config), { folder, ...options });
    else await resume(folder, options);
    fs.writeSync(1, 'complete\\n');
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
    fs.writeSync(1, 'interrupted\\n');
    process.exitCode = error.exitCode;
  } finally {
    interruption.stop();
  }
`;

interface ChildOptions {
  readonly mode: 'train' | 'resume';
  readonly run: string;
  readonly config: object;
  readonly checkpointSeconds?: number;
  /** Milliseconds that a rename takes once a signal came. */
  readonly slowDisk?: number;
}

function startChild({ mode, run, config, checkpointSeconds = 0.01, slowDisk = 0 }: ChildOptions): Child {
  return new Child(TRAINING, [mode, run, JSON.stringify(config), String(checkpointSeconds), String(slowDisk)]);
}

/** A run of a few seconds, with epochs that are long enough to be interrupted in their middle. */
async function longRun(folder: string) {
  const config = tableConfig(await writeTable(folder, [2000, 600, 100]), {
    model: { name: 'mlp', hidden: [128, 64], dropout: 0.2 },
    epochs: 12,
  });
  return { config, run: join(folder, 'run') };
}

const KILLS = Math.min(Number(process.env.EVENHAND_KILLS ?? 2), 20);

it(`faults 4 and 5: killed at ${KILLS} random moments, a run comes to the same bytes as one that was not`, {
  timeout: 120_000,
}, async () => {
  const folder = await temporaryFolder();
  const { config, run } = await longRun(folder);
  const start = performance.now();
  await train(config, { folder: join(folder, 'whole') });
  const longest = (2 * (performance.now() - start)) / (KILLS + 1);
  const random = seededRandom(2, 'kills');
  let inTheMiddle = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const child = startChild({ mode: kill === 0 ? 'train' : 'resume', run, config });
    await child.said('started');
    await sleep(random() * longest);
    child.kill('SIGKILL');
    const { signal, output } = await child.ended();
    expect(signal === 'SIGKILL' || output.endsWith('complete\n'), output).toBe(true);
    const last = await (await openRun(run)).checkpoint('last');
    if ((last?.checkpoint.progress.step ?? 0) > 0) inTheMiddle++;
  }
  await resume(run);
  expect(await resultsOf(run)).toEqual(await resultsOf(join(folder, 'whole')));
  // Else no run went on in the middle of an epoch, and less was tested than it says.
  expect(inTheMiddle).toBeGreaterThan(0);
});

describe('a request to stop', () => {
  it.each([
    ['fault 9', 'SIGINT', 130],
    ['fault 10', 'SIGTERM', 143],
  ] as const)('%s: %s saves a checkpoint of all that was done and exits with %i', async (_, signal, code) => {
    const folder = await temporaryFolder();
    const { config, run } = await longRun(folder);
    const child = startChild({ mode: 'train', run, config, checkpointSeconds: 1000 });
    await child.said('steps 1 ');
    child.kill(signal);
    const ending = await child.ended();
    expect(ending.code, ending.output).toBe(code);
    expect(ending.output.endsWith('interrupted\n')).toBe(true);
    const saved = await (await openRun(run)).checkpoint('last');
    const done = [...ending.output.matchAll(/steps (\d+) (\d+) (\d+)\n/g)].at(-1)?.map(Number) ?? [];
    const [, epoch = 0, step = 0, stepsPerEpoch = 0] = done;
    expect(saved?.checkpoint.progress.globalStep).toBe(epoch * stepsPerEpoch + step);
  });

  it('fault 9: SIGINT twice exits at once with 130, and the old checkpoint is intact', async () => {
    const folder = await temporaryFolder();
    const { config, run } = await longRun(folder);
    const child = startChild({ mode: 'train', run, config, checkpointSeconds: 1000, slowDisk: 20_000 });
    await child.said('checkpoint 1 0 last');
    child.kill('SIGINT');
    await child.said('asked');
    await sleep(400);
    child.kill('SIGINT');
    const { code, output } = await child.ended();
    expect(code).toBe(130);
    expect(output).not.toContain('interrupted');
    const saved = [...output.matchAll(/checkpoint (\d+) (\d+) last\n/g)].at(-1);
    const { checkpoint } = (await (await openRun(run)).checkpoint('last')) ?? {};
    expect([checkpoint?.progress.epoch, checkpoint?.progress.step]).toEqual([Number(saved?.[1]), Number(saved?.[2])]);
  });
});

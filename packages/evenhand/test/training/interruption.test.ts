import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { loadCheckpoint } from '../../src/runs/checkpoint.js';
import { Child } from '../runs/child-process.js';
import { temporaryFolder, versionOf } from '../runs/examples.js';

/** Works until asked to stop, then takes its time to say goodbye. */
const POLITE = `
  const { listenForInterruption } = await import(dist + 'training/interruption.js');
  const interruption = listenForInterruption();
  const work = setInterval(() => {}, 10);
  interruption.signal.addEventListener('abort', () => {
    const { name, message, exitCode } = interruption.signal.reason;
    console.log(name + ': ' + message);
    setTimeout(() => {
      console.log('goodbye');
      clearInterval(work);
      interruption.stop();
      process.exitCode = exitCode;
    }, Number(process.argv[1]));
  });
  console.log('working');
`;

/** The same, but busy with checkpoints for ever. */
const BUSY = `
  const { listenForInterruption } = await import(dist + 'training/interruption.js');
  const { saveCheckpoint } = await import(dist + 'runs/checkpoint.js');
  const { signal } = listenForInterruption();
  signal.addEventListener('abort', () => console.log('asked'));
  for (let version = 1; ; version++) {
    const progress = {
      epoch: 0, step: 0, globalStep: version, metricsLines: 0, generatorLines: 0,
      configHash: 'c', datasetHash: 'd', method: null, training: null,
    };
    const weight = { shape: [250_000], data: new Float32Array(250_000).fill(version) };
    await saveCheckpoint(process.argv[1], 'last', { state: new Map([['weight', weight]]), progress });
    console.log('saved');
  }
`;

async function signalled(script: string, argument: string, ...signals: readonly NodeJS.Signals[]) {
  const child = new Child(script, [argument]);
  await child.said('working');
  for (const signal of signals) child.kill(signal);
  return child.ended();
}

describe('a request to stop', () => {
  it('fault 9: SIGINT lets the program finish and exit with 130', async () => {
    expect(await signalled(POLITE, '20', 'SIGINT')).toEqual({
      code: 130,
      signal: null,
      output: 'working\nInterruptedError: interrupted by SIGINT\ngoodbye\n',
    });
  });

  it('fault 10: SIGTERM lets the program finish and exit with 143', async () => {
    expect(await signalled(POLITE, '20', 'SIGTERM')).toEqual({
      code: 143,
      signal: null,
      output: 'working\nInterruptedError: interrupted by SIGTERM\ngoodbye\n',
    });
  });

  it('fault 9: the SIGINT that npm passes on beside the terminal is the same request', async () => {
    const { code, output } = await signalled(POLITE, '100', 'SIGINT', 'SIGINT');
    expect([code, output]).toEqual([130, 'working\nInterruptedError: interrupted by SIGINT\ngoodbye\n']);
  });

  it('fault 9: a second SIGINT exits at once with 130, in the middle of a save, and the old checkpoint is whole', async () => {
    const run = await temporaryFolder();
    await mkdir(join(run, 'checkpoints'));
    const child = new Child(BUSY, [run]);
    await child.said('saved');
    child.kill('SIGINT');
    await child.said('asked');
    await sleep(300);
    child.kill('SIGINT');
    const { code, output } = await child.ended();
    expect(code).toBe(130);
    const loaded = await loadCheckpoint(run, 'last');
    const version = loaded === undefined ? Number.NaN : versionOf(loaded.checkpoint);
    const saved = output.match(/saved/g)?.length ?? 0;
    expect([saved, saved + 1]).toContain(version);
  });

  it('nothing listens after stop: the next signal ends the process as usual', async () => {
    const script = `
      const { listenForInterruption } = await import(dist + 'training/interruption.js');
      listenForInterruption().stop();
      setInterval(() => {}, 10);
      console.log('working');
    `;
    expect(await signalled(script, '', 'SIGINT')).toMatchObject({ code: null, signal: 'SIGINT' });
  });

  it('nothing listens unless asked', async () => {
    const script = `
      await import(dist + 'training/interruption.js');
      await import(dist + 'runs/run-writer.js');
      console.log(process.listenerCount('SIGINT') + process.listenerCount('SIGTERM'));
    `;
    expect((await new Child(script).ended()).output).toBe('0\n');
  });
});

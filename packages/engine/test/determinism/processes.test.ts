import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TranspiledEngine } from '../runtime/transpiled-engine.js';

const SHA_256 = /^[0-9a-f]{64}$/;
let engine: TranspiledEngine;
let script: string;

beforeAll(() => {
  engine = new TranspiledEngine();
  engine.module(new URL('../runtime/lenet.ts', import.meta.url));
  script = engine.file(
    'train.js',
    `
    import { createHash } from 'node:crypto';
    import * as engine from './index.js';
    import { lenetFeeds, lenetProgram } from './lenet.js';
    import { Trainer } from './node.js';
    const trainer = await Trainer.start(lenetProgram(engine, Number(process.argv[2])), { threads: 2 });
    for (let step = 0; step < 20; step++) await trainer.step(lenetFeeds(step));
    const file = engine.writeSafetensors(await trainer.state());
    await trainer.close();
    console.log(createHash('sha256').update(file).digest('hex'));
    `,
  );
});
afterAll(() => engine.remove());

/** Trains in a process of its own with two threads; the hash of the weights, statistics and slots. */
async function train(seed: number): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, String(seed)]);
  return stdout.trim();
}

it('faults 6 and 7: two processes with the same seed train the same weights, bit for bit; another seed trains others', async () => {
  const [first, second, other] = [await train(3), await train(3), await train(4)];
  expect(first).toMatch(SHA_256);
  expect(second).toBe(first);
  expect(other).toMatch(SHA_256);
  expect(other).not.toBe(first);
});

import { execFileSync } from 'node:child_process';
import { serialize } from 'node:v8';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { linearFeeds, linearProgram } from './programs.js';
import { TranspiledEngine } from './transpiled-engine.js';

let engine: TranspiledEngine;
beforeAll(() => {
  engine = new TranspiledEngine();
});
afterAll(() => engine.remove());

it('2,000 steps and some predictions need no more memory than 300', () => {
  const data = serialize({ program: linearProgram(), feeds: linearFeeds(0) }).toString('base64');
  const script = engine.file(
    'memory.js',
    `
    import { deserialize } from 'node:v8';
    import * as runtime from 'onnxruntime-node';
    import { ProgramSession } from './runtime/session.js';
    const { program, feeds } = deserialize(Buffer.from('${data}', 'base64'));
    const session = await ProgramSession.create(runtime, program, { threads: 1 });
    let before = 0;
    for (let step = 0; step < 2300; step++) {
      if (step === 300) before = process.memoryUsage.rss();
      await session.step({ ...feeds, step });
      if (step % 20 === 0) await session.predict(new Float32Array(20));
    }
    console.log(process.memoryUsage.rss() - before);
    `,
  );
  const growth = Number(execFileSync(process.execPath, [script], { encoding: 'utf8' }));
  expect(growth / 1e6).toBeLessThan(10);
});

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { start as startCommand } from '../cli/evenhand.js';
import { resultsOf } from '../training/problem.js';
import {
  blobsOfRuns,
  coordinate,
  LIVELY,
  machine,
  PATIENTLY,
  slowProblem,
  trainedHere,
  trialLines,
} from './problem.js';
import { POSTGRES, REDIS } from './servers.js';

describe.each([REDIS, POSTGRES])('on $name', ({ missing, start }) => {
  it('fault 44: after a restart of the server workers go on, and nothing is trained twice', async (ctx) => {
    ctx.skip(missing !== undefined, missing);
    const server = await start();
    const { folder, config } = await slowProblem(80);
    const runs = join(folder, 'runs');
    const worker = (await machine()).worker(server.url, ['--upload-every', '1']);
    let epochs = 0;
    const trained = coordinate({
      url: server.url,
      folder: runs,
      config,
      seeds: [0, 1],
      onEvent: ({ kind }) => {
        if (kind === 'epoch') epochs++;
      },
    });
    await expect.poll(() => epochs, PATIENTLY).toBeGreaterThan(0);
    await server.startAgain({ keepsData: true });
    expect((await trained).map(({ status }) => status)).toEqual(['done', 'done']);
    await worker.said(/seed-1 .*: done/);
    expect(trialLines(worker).sort()).toEqual([
      expect.stringMatching(/^seed-0 from the start: done/),
      expect.stringMatching(/^seed-1 from the start: done/),
    ]);
    const alone = await trainedHere({ ...config, seed: 1 }, join(folder, 'here'));
    expect(await resultsOf(join(runs, 'seed-1'))).toEqual(alone);
  });

  it('fault 44: what a server has lost is put into the queue again, and goes on from the last uploaded checkpoint', async (ctx) => {
    ctx.skip(missing !== undefined, missing);
    const server = await start();
    const { folder, config } = await slowProblem();
    const [runs, store] = [join(folder, 'runs'), join(folder, 'store')];
    const worker = (await machine()).worker(server.url);
    const trained = coordinate({
      url: server.url,
      folder: runs,
      config,
      seeds: [0, 1],
      store: { kind: 'file', folder: store },
    });
    await expect.poll(() => blobsOfRuns(store), PATIENTLY).toBeGreaterThan(0);
    await server.startAgain({ keepsData: false });
    expect((await trained).map(({ status }) => status)).toEqual(['done', 'done']);
    await worker.said(/seed-1 .*: done/);
    const alone = await trainedHere({ ...config, seed: 0 }, join(folder, 'here'));
    expect(await resultsOf(join(runs, 'seed-0'))).toEqual(alone);
  });

  it('fault 44: a coordinator and a worker whose server is away end when they are asked to', async (ctx) => {
    ctx.skip(missing !== undefined, missing);
    const server = await start();
    const { folder, config } = await slowProblem();
    const here = await machine();
    const worker = here.worker(server.url);
    await worker.said('takes trials');
    const { source = '' } = config.data;
    const words = [
      'train',
      source,
      '--target',
      'class',
      '--seeds',
      '2',
      '--run',
      'runs',
      '--queue',
      server.url,
      '--mixed',
    ];
    const coordinator = startCommand(words, { cwd: folder, env: { EVENHAND_DATA: join(folder, 'cache') } });
    expect((await worker.ended()).code).toBe(2); // its coordinator mixes, so it is there and has given its trials
    const other = here.worker(server.url, ['--mixed', ...LIVELY]);
    await other.said('takes trials');
    await server.stop();
    coordinator.kill('SIGTERM');
    other.kill('SIGTERM');
    expect((await coordinator.ended()).code).toBe(143);
    expect((await other.ended()).code).toBe(143);
  });
});

import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { THOROUGH } from '../../../../test/thorough.js';
import { numericsHere, queueName } from '../../src/queue/numerics.js';
import { QueueServer } from '../../src/queue/queue-server.js';
import { resultsOf } from '../training/problem.js';
import { coordinate, machine, PATIENTLY, slowProblem, trainedHere, trialLines } from './problem.js';
import { POSTGRES, REDIS, type TestServer } from './servers.js';

/** The checkpoint that the queue knows of the trial that is being trained. */
async function checkpointOf(url: string): Promise<string | undefined> {
  const server = await QueueServer.connect(url);
  const queue = server.queue(queueName(await numericsHere(), false), () => undefined);
  const [job] = await queue.getActive();
  await queue.close();
  return job?.data.run;
}

describe.each(THOROUGH ? [REDIS, POSTGRES] : [REDIS])('on $name', ({ missing, start }) => {
  let server: TestServer;
  beforeAll(async () => {
    if (missing === undefined) server = await start();
  });

  it('fault 42: the trial of a worker that is killed in the middle goes on elsewhere, from the last uploaded checkpoint', async (ctx) => {
    ctx.skip(missing !== undefined, missing);
    const { folder, config } = await slowProblem();
    const [runs, store] = [join(folder, 'runs'), join(folder, 'store')];
    const here = await machine();
    const first = here.worker(server.url);
    const trained = coordinate({ url: server.url, folder: runs, config, store: { kind: 'file', folder: store } });
    await expect.poll(() => checkpointOf(server.url), PATIENTLY).toBeDefined();
    first.kill('SIGKILL'); // before it is done: no other worker is there yet
    const second = here.worker(server.url);
    expect((await trained).map(({ status }) => status)).toEqual(['done']);
    await second.said(/: done/);
    expect(trialLines(second)).toEqual([expect.stringMatching(/^seed-0 from \d+ epochs?.*: done/)]);
    const alone = await trainedHere({ ...config, seed: 0 }, join(folder, 'here'));
    expect(await resultsOf(join(runs, 'seed-0'))).toEqual(alone);
  });

  it('fault 43: a worker that was stopped past its lock gives the trial up, and what both trained is never mixed', async (ctx) => {
    ctx.skip(missing !== undefined, missing);
    const { folder, config } = await slowProblem();
    const runs = join(folder, 'runs');
    const here = await machine();
    const first = here.worker(server.url);
    let begun = 0;
    const trained = coordinate({
      url: server.url,
      folder: runs,
      config,
      onEvent: ({ kind }) => {
        if (kind === 'started') begun++;
      },
    });
    await expect.poll(() => begun, PATIENTLY).toBe(1);
    first.kill('SIGSTOP');
    const second = here.worker(server.url);
    await expect.poll(() => begun, PATIENTLY).toBe(2);
    first.kill('SIGCONT');
    expect((await trained).map(({ status }) => status)).toEqual(['done']);
    await first.said('seed-0');
    // Its child may have come to the end meanwhile, with the same result, which is then refused.
    expect(trialLines(first).join()).toMatch(/given back, its lock was lost|: done/);
    await second.said(/: done/);
    const alone = await trainedHere({ ...config, seed: 0 }, join(folder, 'here'));
    expect(await resultsOf(join(runs, 'seed-0'))).toEqual(alone);
  });

  it('fault 42: a worker that is asked to end leaves its trial at a checkpoint, uploads it and exits with 143', async (ctx) => {
    ctx.skip(missing !== undefined, missing);
    const { folder, config } = await slowProblem();
    const runs = join(folder, 'runs');
    const here = await machine();
    const first = here.worker(server.url, []); // which uploads every two minutes only
    let epochs = 0;
    const trained = coordinate({
      url: server.url,
      folder: runs,
      config,
      onEvent: (event) => {
        if (event.kind === 'epoch') epochs++;
      },
    });
    await expect.poll(() => epochs, PATIENTLY).toBeGreaterThan(0);
    first.kill('SIGTERM');
    expect((await first.ended()).code).toBe(143);
    expect(trialLines(first)).toEqual([expect.stringMatching(/^seed-0 from the start: given back, the worker ends/)]);
    const second = here.worker(server.url, ['--once']);
    expect((await trained).map(({ status }) => status)).toEqual(['done']);
    expect((await second.ended()).code).toBe(0);
    expect(trialLines(second)).toEqual([expect.stringMatching(/^seed-0 from \d+ epochs?.*: done/)]);
    const alone = await trainedHere({ ...config, seed: 0 }, join(folder, 'here'));
    expect(await resultsOf(join(runs, 'seed-0'))).toEqual(alone);
  });
});

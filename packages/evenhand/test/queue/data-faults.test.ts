import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { numericsHere, queueName } from '../../src/queue/numerics.js';
import { Presence } from '../../src/queue/presence.js';
import { QueueServer } from '../../src/queue/queue-server.js';
import { plainImage } from '../images/crafted-image.js';
import { smallDisk } from '../runs/examples.js';
import { resultsOf } from '../training/problem.js';
import { coordinate, machine, PATIENTLY, slowProblem, trainedHere, trialLines } from './problem.js';
import { POSTGRES, REDIS, type TestServer } from './servers.js';

describe.each([REDIS, POSTGRES])('on $name', ({ missing, start }) => {
  let server: TestServer;
  beforeAll(async () => {
    if (missing === undefined) server = await start();
  });

  it('fault 46: data with the wrong content is refused by its hash, the message names the worker, and the trial is tried again', async (ctx) => {
    ctx.skip(missing !== undefined, missing);
    const { folder, config } = await slowProblem(2);
    const [runs, store] = [join(folder, 'runs'), join(folder, 'store')];
    const trained = coordinate({ url: server.url, folder: runs, config, store: { kind: 'file', folder: store } });
    const blobs = () => readdir(join(store, 'data')).catch(() => []);
    await expect.poll(async () => (await blobs()).length, PATIENTLY).toBe(2); // the table and the list of files
    const contents = await Promise.all((await blobs()).map((name) => readFile(join(store, 'data', name))));
    const table = contents.findIndex((content) => content.toString().startsWith('x,y'));
    const [file, content] = [join(store, 'data', (await blobs())[table] ?? ''), contents[table] ?? Buffer.alloc(0)];
    await writeFile(file, content.subarray(0, -3));
    const worker = (await machine()).worker(server.url);
    await worker.said(/failed: data\/[0-9a-f]{64} in .* is damaged: its content has the SHA-256 .*; expected /);
    await writeFile(file, content);
    expect((await trained).map(({ status }) => status)).toEqual(['done']);
    expect(trialLines(worker).at(-1)).toMatch(/^seed-0 from the start: done/);
  });

  it('fault 46: where it stays wrong, the trial fails in the end, with the name of the worker', async (ctx) => {
    ctx.skip(missing !== undefined, missing);
    const { folder, config } = await slowProblem(2);
    const store = join(folder, 'store');
    const worker = (await machine()).worker(server.url);
    const trained = coordinate({
      url: server.url,
      folder: join(folder, 'runs'),
      config,
      store: { kind: 'file', folder: store },
    });
    // As soon as it is there, and whenever it is there again.
    let isOver = false;
    const damaging = (async () => {
      while (!isOver) {
        for (const name of await readdir(join(store, 'data')).catch(() => []))
          if (/^[0-9a-f]{64}$/.test(name))
            await writeFile(join(store, 'data', name), 'something else').catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    })();
    const [result] = await trained;
    isOver = true;
    await damaging;
    expect(result).toMatchObject({ status: 'failed' });
    expect(result?.status === 'failed' ? result.error.message : '').toMatch(
      /seed-0 could not be trained: on \S+:\d+: data\/\S+ in \S+ is damaged/,
    );
    expect(trialLines(worker).length).toBe(5);
  });

  it('fault 46: a worker whose disk is full leaves the trial to another', async (ctx) => {
    ctx.skip(missing !== undefined, missing);
    const disk = await smallDisk(ctx, '64k');
    const { folder, config } = await slowProblem(5);
    const runs = join(folder, 'runs');
    const here = await machine();
    const full = here.worker(server.url, [], { TMPDIR: disk });
    const trained = coordinate({ url: server.url, folder: runs, config });
    await full.said(/failed: cannot write .*: the disk is full/);
    here.worker(server.url);
    expect((await trained).map(({ status }) => status)).toEqual(['done']);
    full.kill('SIGKILL'); // or its disk could not be taken away
    await full.ended();
    const alone = await trainedHere({ ...config, seed: 0 }, join(folder, 'here'));
    expect(await resultsOf(join(runs, 'seed-0'))).toEqual(alone);
  });

  describe('fault 47: a worker that would train to other results is refused, with the difference:', () => {
    it.for([
      ['another version', { evenhand: '9.9.9' }, /evenhand 0\.\d+\.\d+ here, 9\.9\.9 there\. Install the same version/],
      [
        'another kind of processor',
        { engine: 'abc' },
        /results of the engine .* here, abc there\. Use machines of one kind/,
      ],
    ] as const)('%s', async ([, different, message], ctx) => {
      ctx.skip(missing !== undefined, missing);
      const own = await start();
      const numerics = { ...(await numericsHere()), ...different };
      const presence = new Presence(await QueueServer.connect(own.url));
      const queue = queueName(numerics, false);
      await presence.announce({
        kind: 'coordinator',
        id: 'other',
        host: 'elsewhere',
        pid: 1,
        queue,
        mixed: false,
        numerics,
        about: [],
      });
      const refused = await (await machine()).worker(own.url).ended();
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(message)]);
      await presence.close();
    });

    it('also if it came first, and waited', async (ctx) => {
      ctx.skip(missing !== undefined, missing);
      const own = await start();
      const worker = (await machine()).worker(own.url);
      await worker.said('takes trials');
      const numerics = { ...(await numericsHere()), evenhand: '9.9.9' };
      const presence = new Presence(await QueueServer.connect(own.url));
      const queue = queueName(numerics, true);
      await presence.announce({
        kind: 'coordinator',
        id: 'other',
        host: 'elsewhere',
        pid: 1,
        queue,
        mixed: true,
        numerics,
        about: [],
      });
      const refused = await worker.ended();
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('9.9.9 there')]);
      await presence.close();
    });

    it('other data of the same name', async (ctx) => {
      ctx.skip(missing !== undefined, missing);
      const { folder } = await slowProblem();
      const [mine, theirs] = [join(folder, 'mine'), join(folder, 'theirs')];
      for (const [i, data] of [mine, theirs].entries()) await writeCaltech(data, i);
      const here = await machine();
      const other = here.worker(server.url, [], { EVENHAND_DATA: theirs });
      const config = {
        data: { source: 'caltech101', imageSize: 28, testShare: 0.3, validationPerClass: 1 },
        model: { name: 'lenet5' as const },
        epochs: 1,
        threads: 1,
      };
      const trained = coordinate({ url: server.url, folder: join(folder, 'runs'), config, data: mine });
      const refused = await other.ended();
      expect([refused.code, refused.stderr]).toEqual([
        2,
        expect.stringMatching(/the data at caltech101 has the hash [0-9a-f]{64}; expected [0-9a-f]{64}/),
      ]);
      here.worker(server.url, [], { EVENHAND_DATA: mine });
      const results = await trained;
      expect(results).toMatchObject([{ status: 'done' }]);
    });
  });
});

/** Two classes of a few small images, other ones for another shade. */
async function writeCaltech(data: string, shade: number): Promise<void> {
  for (const [label, name] of ['accordion', 'airplanes'].entries()) {
    const folder = join(data, '101_ObjectCategories', name);
    await mkdir(folder, { recursive: true });
    for (let i = 0; i < 8; i++)
      await writeFile(join(folder, `image_${i}.png`), await plainImage([40 * label + 5 * i + shade, i, label]));
  }
}

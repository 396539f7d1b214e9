import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { launchChromium, noChromium } from '../../../../test/chromium.js';
import { numericsHere, queueName } from '../../src/queue/numerics.js';
import { Presence } from '../../src/queue/presence.js';
import { QueueServer } from '../../src/queue/queue-server.js';
import { startStudio } from '../../src/studio/server/studio-server.js';
import { POSTGRES, REDIS, type TestServer } from '../queue/servers.js';
import { openStudio, testFolder } from './studio.js';

const SLOW = 120_000;

/** A coordinator that has put one trial into a queue. */
async function coordinatorWithTrial(url: string, folder: string): Promise<string> {
  const numerics = await numericsHere();
  const queue = queueName(numerics, false);
  const server = await QueueServer.connect(url);
  const presence = new Presence(server);
  await presence.announce({
    kind: 'coordinator',
    id: 'me',
    host: 'here',
    pid: 1,
    queue,
    mixed: false,
    numerics,
    about: ['runs'],
  });
  const trials = server.queue(queue, () => undefined);
  onTestFinished(async () => {
    await trials.close();
    await presence.close();
  });
  const data = { hash: 'none', files: { manifest: '0'.repeat(64), path: 'x.csv' } };
  await trials.add(
    'a-trial',
    {
      name: 'a-trial',
      owner: 'me',
      store: { kind: 'file', folder: join(folder, 'store') },
      config: {},
      override: false,
      importance: true,
      gitCommit: null,
      data,
    },
    { jobId: 'me-a-trial' },
  );
  return queue;
}

describe.each([REDIS, POSTGRES])('a queue on $name in the studio', ({ missing, start }) => {
  let server: TestServer;
  beforeEach(async (test) => {
    test.skip(missing !== undefined, missing);
    server = await start();
  });

  it('is shown, behind the studio’s door, and cannot be changed there', { timeout: SLOW }, async () => {
    const base = await testFolder();
    const studio = await openStudio({ folders: ['runs'], base, queue: server.url });
    const queue = await coordinatorWithTrial(server.url, base); // after the studio was started
    const { text } = await studio.ask('/queues/api/queues');
    expect(JSON.parse(text)).toMatchObject({
      queues: [{ name: queue, readOnlyMode: true, counts: { waiting: 1, failed: 0 } }],
    });
    for (const [method, path] of [
      ['PUT', `/queues/api/queues/${queue}/pause`],
      ['PUT', `/queues/api/queues/${queue}/obliterate`],
      ['POST', `/queues/api/queues/${queue}/add`],
    ] as const)
      expect((await studio.ask(path, { method, body: '{}' })).status).toBe(405);
    for (const path of ['/queues', '/queues/api/queues', '/queues/static/favicon.ico'])
      expect((await studio.ask(path, { headers: { cookie: '' } })).status).toBe(403);
    expect((await studio.ask('/queues/static/favicon.ico')).status).toBe(200);
    expect((await studio.ask('/queues/static/%2e%2e/%2e%2e/package.json')).status).toBe(404);
  });
});

it('the board opens in Chromium from the bar of the studio, with nothing from elsewhere', {
  timeout: SLOW,
}, async (test) => {
  test.skip(noChromium !== undefined, noChromium);
  test.skip(REDIS.missing !== undefined, REDIS.missing);
  const server = await REDIS.start();
  const base = await testFolder();
  const studio = await startStudio({ folders: ['runs'], base, queue: server.url });
  onTestFinished(() => studio.close());
  await coordinatorWithTrial(server.url, base);
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const answered: string[] = [];
  page.on('response', (response) => answered.push(new URL(response.url()).host));
  await page.goto(studio.address);
  await page.getByRole('link', { name: 'Queues' }).click();
  await page.getByText('evenhand-').first().waitFor();
  expect(new Set(answered)).toEqual(new Set([`127.0.0.1:${studio.port}`]));
});

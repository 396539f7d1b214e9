import { existsSync } from 'node:fs';
import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ModelChange } from '../../src/serve/model-change.js';
import { evenhand, start } from '../cli/evenhand.js';
import { temporaryFolder } from '../runs/examples.js';
import { twoClasses } from '../stream/streams.js';
import { CLASSES, post, startServer, tableModel } from './models.js';

const ROW = { age: 42, member: true, city: 'Oslo', since: '2020-05-01' };
const OTHER_CLASSES = [...CLASSES, 'new'];

/** A server that follows a file, and what it says of changes. */
async function followedFile() {
  const file = join(await temporaryFolder(), 'model.onnx');
  await writeFile(file, tableModel());
  const changes: ModelChange[] = [];
  const server = await startServer(file, { follow: true, onChange: (change) => changes.push(change) });
  onTestFinished(() => server.drain());
  const get = async (path: string) => (await fetch(server.address + path)).text();
  return { file, server, changes, get };
}

/** Waits for what a test is about; the test's own time limit ends it. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(10);
}

async function replace(file: string, content: Uint8Array): Promise<void> {
  await writeFile(`${file}.new`, content);
  await rename(`${file}.new`, file);
}

describe('a server that follows its model file', () => {
  it('answers with the new model, and a request that began before with the one that it began with', async () => {
    const { file, server, changes } = await followedFile();
    const before = server.model.version;
    const body = JSON.stringify(ROW);
    const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
    const slow = request(`${server.address}/predict`, { method: 'POST', headers });
    const answer = new Promise<string>((resolve, reject) => {
      slow.on('error', reject).on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve(text));
      });
    });
    slow.write(body.slice(0, 5));
    // Behind it on the way to the server: when this is answered, the other has begun.
    expect((await post(server, ROW)).json.model).toBe(before);
    await replace(file, tableModel(OTHER_CLASSES));
    await until(() => changes.length > 0);

    const after = (await post(server, ROW)).json;
    expect(after.model).not.toBe(before);
    expect(Object.keys(after.predictions[0].probabilities)).toEqual(OTHER_CLASSES);
    slow.end(body.slice(5));
    const late = JSON.parse(await answer);
    expect([late.model, Object.keys(late.predictions[0].probabilities)]).toEqual([before, CLASSES]);
  }, 60_000);

  it('keeps the old model while the new file is damaged, cut off or gone, and says so', async () => {
    const { file, server, changes, get } = await followedFile();
    const before = server.model.version;
    const next = tableModel(OTHER_CLASSES);
    expect(JSON.parse(await get('/health'))).toEqual({ status: 'ok', model: before, stale: false });

    const damaged: readonly (() => Promise<void>)[] = [
      () => writeFile(file, 'hello'),
      () => writeFile(file, next.subarray(0, next.length / 2)),
      () => rename(file, `${file}.away`),
    ];
    for (const [i, damage] of damaged.entries()) {
      await damage();
      await until(() => changes.length > i);
      expect(changes[i]).toMatchObject({ kind: 'refused', reason: expect.stringContaining(file) });
      expect((await post(server, ROW)).json.model).toBe(before);
      expect(JSON.parse(await get('/health'))).toEqual({ status: 'ok', model: before, stale: true });
    }
    expect(await get('/metrics')).toMatch(/^evenhand_model_stale 1$/m);
    expect(await get('/metrics')).toMatch(/^evenhand_model_changes_total\{outcome="refused"\} 3$/m);

    await replace(file, next);
    await until(() => changes.length > damaged.length);
    const { version } = server.model;
    expect(version).not.toBe(before);
    expect(JSON.parse(await get('/health'))).toEqual({ status: 'ok', model: version, stale: false });
    expect(await get('/metrics')).toContain(`evenhand_model_info{version="${version}"} 1`);
  }, 60_000);
});

describe('evenhand serve of a stream', () => {
  it('answers with what the stream has learned so far, and loses no request on the way', async () => {
    const folder = await temporaryFolder();
    const rows = twoClasses({ rows: 300, seed: 5, share: 0.3 }).map((row) => `${JSON.stringify(row)}\n`);
    const file = join(folder, 'rows.ndjson');
    await writeFile(file, rows.slice(0, 100).join(''));
    const early = await evenhand(['stream', file, '--target', 'class', '--folder', 's', '--quiet'], { cwd: folder });
    expect(early.code).toBe(0);
    const refused = await evenhand(['serve', 's', '--follow', '--port', '0'], { cwd: folder });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('has exported no model')]);

    const args = ['--target', 'class', '--folder', 's', '--out', '/dev/null', '--export', '--export-every', '100'];
    const stream = start(['stream', file, '--follow', ...args], { cwd: folder });
    const model = join(folder, 's/model.onnx');
    await until(() => existsSync(model));
    stream.kill('SIGUSR2'); // nothing comes, and it is written all the same
    await stream.said('the model was exported after 100 rows');
    const server = start(['serve', 's', '--follow', '--port', '0', '--json'], { cwd: folder });
    const { address, version } = JSON.parse(await server.says('}'));

    let isOver = false;
    const [versions, lost] = [new Set<string>(), [] as string[]];
    const client = async () => {
      while (!isOver) {
        const headers = { 'Content-Type': 'application/json' };
        const asked = fetch(`${address}/predict`, { method: 'POST', headers, body: '{"x": 2.5, "y": 0}' });
        const response = await asked.catch((error: unknown) => String(error));
        if (typeof response === 'string') lost.push(response);
        else if (response.status !== 200) lost.push(await response.text());
        else versions.add((await response.json()).model);
      }
    };
    const clients = Array.from({ length: 8 }, client);
    await until(() => versions.has(version));
    await appendFile(file, rows.slice(100, 200).join(''));
    await until(() => versions.size > 1);
    await writeFile(model, 'damaged');
    await server.said('cannot be used: ');
    await appendFile(file, rows.slice(200).join(''));
    await until(() => versions.size > 2);
    isOver = true;
    await Promise.all(clients);
    expect(lost).toEqual([]);
    const described = await (await fetch(`${address}/model`)).json();
    expect(described.classes).toEqual(expect.arrayContaining(['common', 'rare']));
    expect([...versions]).toContain(described.version);
    expect(described.version).not.toBe(version);

    server.kill('SIGTERM');
    stream.kill('SIGTERM');
    const [serverEnd, streamEnd] = await Promise.all([server.ended(), stream.ended()]);
    expect([serverEnd.code, streamEnd.code]).toEqual([0, 143]);
    expect(serverEnd.stderr).toContain('Still answering with version');
    expect((await readFile(model)).length).toBeGreaterThan(1000);
  }, 240_000);
});

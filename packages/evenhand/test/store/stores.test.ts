import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { BlobError, type BlobStore, contentOf } from '../../src/store/blob-store.js';
import { FileStore } from '../../src/store/file-store.js';
import { HttpStore } from '../../src/store/http-store.js';
import { downloadFolder, manifestOf, readManifest, uploadFolder } from '../../src/store/manifest.js';
import { S3Store } from '../../src/store/s3-store.js';
import { parseStore } from '../../src/store/store-place.js';
import { StoreServer } from '../../src/store/store-server.js';
import { temporaryFolder } from '../runs/examples.js';
import { startS3 } from './s3-server.js';

const TOKEN = 'a token';

function keyOf(bytes: Uint8Array, prefix = 'data'): string {
  return `${prefix}/${createHash('sha256').update(bytes).digest('hex')}`;
}

/** A store, and a way to damage what is in it. */
interface Tested {
  readonly store: BlobStore;
  damage(key: string, content: string): Promise<void>;
}

async function served() {
  const folder = await temporaryFolder();
  const server = await StoreServer.start(new FileStore(folder), { host: '127.0.0.1', port: 0 }, TOKEN);
  onTestFinished(() => server.close());
  return { folder, address: server.address };
}

const STORES: Readonly<Record<string, () => Promise<Tested>>> = {
  'a shared folder': async () => {
    const folder = await temporaryFolder();
    return { store: new FileStore(folder), damage: (key, content) => writeFile(join(folder, key), content) };
  },
  HTTP: async () => {
    const { folder, address } = await served();
    const store = new HttpStore({ locate: async () => address, patience: 0 });
    return { store, damage: (key, content) => writeFile(join(folder, key), content) };
  },
  S3: async () => {
    const server = await startS3('bucket');
    vi.stubEnv('AWS_ENDPOINT_URL', server.url);
    vi.stubEnv('AWS_REGION', 'us-east-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    onTestFinished(() => void vi.unstubAllEnvs());
    const store = await S3Store.open({ bucket: 'bucket', prefix: 'trials' });
    return { store, damage: async (key, content) => void server.objects.set(`trials/${key}`, Buffer.from(content)) };
  },
};

describe.each(Object.entries(STORES))('%s', (_name, open) => {
  it('keeps blobs of any size, and removes those of a job alone', async () => {
    const { store } = await open();
    const blobs = [Buffer.alloc(0), Buffer.from('small'), Buffer.alloc(3_000_000, 'large')];
    for (const blob of blobs) {
      const [data, run] = [keyOf(blob), keyOf(blob, 'runs/job-1')];
      expect(await store.has(data)).toBe(false);
      await store.write(data, contentOf(blob));
      await store.write(run, contentOf(blob));
      expect(await store.has(run)).toBe(true);
      expect((await buffer(store.read(data))).equals(blob)).toBe(true);
    }
    await store.removeAll('runs/job-1');
    for (const blob of blobs) {
      expect(await store.has(keyOf(blob, 'runs/job-1'))).toBe(false);
      expect(await store.has(keyOf(blob))).toBe(true);
    }
  });

  it('fault 46: refuses what is not what its key says, when it is written and when it is read', async () => {
    const { store, damage } = await open();
    const key = keyOf(Buffer.from('right'));
    await expect(store.write(key, contentOf(Buffer.from('wrong')))).rejects.toThrow(BlobError);
    expect(await store.has(key)).toBe(false);
    await store.write(key, contentOf(Buffer.from('right')));
    await damage(key, 'wrong');
    await expect(buffer(store.read(key))).rejects.toThrow(/ is damaged/);
    await expect(buffer(store.read(keyOf(Buffer.from('missing'))))).rejects.toThrow(/is not in /);
  });

  it('carries a folder from one machine to another', async () => {
    const { store } = await open();
    const [from, to] = [await temporaryFolder(), await temporaryFolder()];
    const texts = { 'config.json': '{}', 'lines.jsonl': '' };
    for (const [name, text] of Object.entries(texts)) await writeFile(join(from, name), text);
    const hash = await uploadFolder(store, 'runs/job', from, await manifestOf(from, Object.keys(texts)));
    await downloadFolder(store, 'runs/job', await readManifest(store, 'runs/job', hash), join(to, 'run'));
    expect((await readdir(join(to, 'run'))).sort()).toEqual(Object.keys(texts));
  });
});

it('fault 46: an upload that is cut off leaves nothing', async () => {
  const { folder, address } = await served();
  const content = Buffer.alloc(1_000_000, 'x');
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-length': content.length };
  const upload = request(`${address.url}/${keyOf(content)}`, { method: 'PUT', headers });
  upload.on('error', () => undefined);
  upload.write(content.subarray(0, 500_000));
  await expect.poll(async () => (await readdir(join(folder, 'data')).catch(() => [])).length).toBe(1); // on its way
  upload.destroy();
  await expect.poll(async () => readdir(join(folder, 'data'))).toEqual([]);
});

it('a server answers only who knows the token, and only for keys', async () => {
  const { address } = await served();
  const status = async (path: string, token: string) =>
    (await fetch(`${address.url}/${path}`, { headers: { authorization: `Bearer ${token}` } })).status;
  const key = keyOf(Buffer.from('anything'));
  expect(await status(key, 'another')).toBe(403);
  expect(await status(key, TOKEN)).toBe(404);
  for (const path of ['', 'etc/passwd', `data/..%2f${key}`, `data/../${key}x`])
    expect(await status(path, TOKEN)).toBe(400);
});

it('a store that is served elsewhere after a restart is found again', async () => {
  const first = await served();
  const second = await served();
  let address = { ...first.address, url: 'http://127.0.0.1:1' };
  const store = new HttpStore({ locate: async () => address, patience: 60_000 });
  const blob = Buffer.from('blob');
  const written = store.write(keyOf(blob), contentOf(blob));
  address = second.address;
  await written;
  expect(await readdir(join(second.folder, 'data'))).toHaveLength(1);
});

it('a manifest never leads out of its folder', async () => {
  const { store } = await (STORES['a shared folder']?.() ?? Promise.reject());
  for (const path of ['../escape', '/etc/passwd', 'a/../../b', '', 'a//b', 'a\\..\\b']) {
    const text = Buffer.from(JSON.stringify({ files: [{ path, sha256: '0'.repeat(64), size: 0 }] }));
    const key = keyOf(text);
    await store.write(key, contentOf(text));
    await expect(readManifest(store, 'data', key.slice('data/'.length))).rejects.toThrow('is not a list of files');
  }
});

it('--store names one of three places', () => {
  expect(parseStore('http')).toEqual({ kind: 'http' });
  expect(parseStore('/mnt/shared')).toEqual({ kind: 'file', folder: '/mnt/shared' });
  expect(parseStore('file:///mnt/shared')).toEqual({ kind: 'file', folder: '/mnt/shared' });
  expect(parseStore('s3://bucket/a/b/')).toEqual({ kind: 's3', bucket: 'bucket', prefix: 'a/b' });
  expect(() => parseStore('shared')).toThrow('--store is "shared"; expected http');
});

it('a server that cannot listen says so', async () => {
  const { address } = await served();
  const port = Number(new URL(address.url).port);
  await expect(StoreServer.start(new FileStore('.'), { host: '127.0.0.1', port }, TOKEN)).rejects.toThrow(
    `data cannot be served at 127.0.0.1:${port}`,
  );
});

import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startStudio } from '../../src/studio/server/studio-server.js';
import { type OpenedStudio, openStudio, rawRequest, testFolder, tokenOf } from './studio.js';

async function opened(): Promise<OpenedStudio> {
  return openStudio({ folders: [await testFolder()] });
}

describe('whom the studio lets in', () => {
  it.each(['localhost', '127.0.0.1', '[::1]'])('fault 35: a browser with the cookie that calls it %s', async (name) => {
    const studio = await opened();
    const host = `${name}:${studio.studio.port}`;
    const headers = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
    expect((await studio.ask('/api/runs', { headers })).status).toBe(200);
    expect((await studio.ask('/', { headers: { host, 'sec-fetch-site': 'none' } })).status).toBe(200);
  });

  it.each([
    ['another name', { host: 'evil.example' }],
    ['another name with the port', { host: 'evil.example:PORT' }],
    ['a name that begins like its own', { host: 'localhost.evil.example:PORT' }],
    ['its own name without the port', { host: '127.0.0.1' }],
    ['another site', { origin: 'https://evil.example' }],
    ['another port of this computer', { origin: 'http://127.0.0.1:1' }],
    ['a sandboxed page', { origin: 'null' }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of another port', { 'sec-fetch-site': 'same-site' }],
  ])('fault 35: not %s, even with the cookie', async (_, given) => {
    const studio = await opened();
    const { port } = studio.studio;
    const headers = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value.replace('PORT', String(port))]),
    );
    for (const path of ['/', '/api/runs', '/api/events', `/?token=${tokenOf(studio.studio.address)}`]) {
      expect((await studio.ask(path, { headers })).status).toBe(403);
    }
  });

  it('fault 35: nobody without the cookie, whatever is asked for', async () => {
    const { studio } = await opened();
    for (const path of ['/', '/index.html', '/playground.html', '/api/runs', '/api/events', '/nothing', '/assets/']) {
      expect([path, (await rawRequest(studio.port, path)).status]).toEqual([path, 403]);
      const forged = { cookie: `evenhand-studio-${studio.port}=${randomBytes(32).toString('base64url')}` };
      expect([path, (await rawRequest(studio.port, path, { headers: forged })).status]).toEqual([path, 403]);
    }
  });

  it('fault 35: no WebSocket', async () => {
    const { studio } = await opened();
    const socket = connect(studio.port, '127.0.0.1');
    const answer = await new Promise<string>((resolve, reject) => {
      socket.setEncoding('utf8').once('data', resolve).once('error', reject);
      socket.write(
        `GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${studio.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
      );
    });
    socket.destroy();
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('fault 35: nobody who guesses tokens; the true one still works, once', async () => {
    const studio = await startStudio({ folders: [await testFolder()] });
    const token = tokenOf(studio.address);
    const guesses = Array.from({ length: 300 }, () => randomBytes(32).toString('base64url'));
    for (const guess of ['', token.slice(0, -1), `${token}x`, token.toLowerCase(), ...guesses]) {
      const { status, headers } = await rawRequest(studio.port, `/?token=${guess}`);
      expect([status, headers['set-cookie']]).toEqual([403, undefined]);
    }
    const first = await rawRequest(studio.port, `/?token=${token}`);
    expect([first.status, first.headers.location]).toEqual([303, '/']);
    expect(first.headers['set-cookie']?.[0]).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/);
    expect((await rawRequest(studio.port, `/?token=${token}`)).status).toBe(403);
    await studio.close();
  });

  it('a used address makes the next one, for another browser', async () => {
    const addresses: string[] = [];
    const studio = await startStudio({
      folders: [await testFolder()],
      onAddress: (address) => addresses.push(address),
    });
    await rawRequest(studio.port, `/?token=${tokenOf(studio.address)}`);
    expect(addresses).toHaveLength(1);
    expect((await rawRequest(studio.port, `/?token=${tokenOf(addresses[0] ?? '')}`)).status).toBe(303);
    await studio.close();
  });

  it.each([
    '/..%252f..%252fetc/passwd',
    '/assets/..%2f..%2f..%2fpackage.json',
    '/assets/../../../package.json',
    '//etc/passwd',
    '/api/runs/..%2f..%2fetc',
    '/api/runs/%2e%2e%2f%2e%2e%2f/report/headline',
    '/api/runs/__proto__',
    '/api/runs/constructor/generators',
    '/api/compare?runs=../../etc',
  ])('fault 35: %s does not lead to a file', async (path) => {
    const { status, text } = await (await opened()).ask(path);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).not.toContain('root:');
    expect(text).not.toContain('"workspaces"');
  });

  it('the page runs its own scripts and styles only, and no other page may frame it', async () => {
    const { headers } = await (await opened()).ask('/');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe-inline');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('a port that is taken is refused in words', async () => {
    const { studio } = await opened();
    await expect(startStudio({ folders: [], port: studio.port })).rejects.toThrow(
      `port ${studio.port} is taken, perhaps by another studio; choose another one with --port`,
    );
  });
});

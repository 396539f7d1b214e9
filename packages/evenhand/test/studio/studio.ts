import { copyFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Studio, type StudioOptions, startStudio } from '../../src/studio/server/studio-server.js';

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** What is sent. */
export interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Sends a request as it is: the path is not tidied up, and any header goes, as from a hostile client. */
export function rawRequest(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: Asking = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request({ port, host: '127.0.0.1', path, method, headers: { ...length, ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The token of an address. */
export function tokenOf(address: string): string {
  return new URL(address).searchParams.get('token') ?? '';
}

/** A studio, and requests of somebody who has opened it. */
export class OpenedStudio {
  private constructor(
    readonly studio: Studio,
    readonly cookie: string,
  ) {}

  static async open(options: StudioOptions): Promise<OpenedStudio> {
    const studio = await startStudio(options);
    const { headers } = await rawRequest(studio.port, `/?token=${tokenOf(studio.address)}`);
    return new OpenedStudio(studio, headers['set-cookie']?.[0]?.split(';')[0] ?? '');
  }

  ask(path: string, asking: Asking = {}): Promise<Answer> {
    return rawRequest(this.studio.port, path, { ...asking, headers: { cookie: this.cookie, ...asking.headers } });
  }
}

/** Opens a stream of events, as a page does. */
export function openStream({ studio, cookie }: OpenedStudio, path = '/api/events', lastId = ''): Socket {
  const socket = connect(studio.port, '127.0.0.1');
  const last = lastId === '' ? '' : `Last-Event-ID: ${lastId}\r\n`;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${studio.port}\r\nCookie: ${cookie}\r\n${last}\r\n`);
  return socket;
}

/** A studio that ends with the test. */
export async function openStudio(options: StudioOptions): Promise<OpenedStudio> {
  const opened = await OpenedStudio.open(options);
  onTestFinished(() => opened.studio.close());
  return opened;
}

/** A folder that is removed after the test. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'evenhand-studio-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Files of a run that a table of runs is made of. */
const SUMMARISED = ['environment.json', 'classes.json', 'metrics.jsonl', 'evaluation.json'];

/** Copies of a run with other seeds: as many runs as one likes, without training them. */
export async function copyRuns(run: string, folder: string, copies: number, first = 0): Promise<void> {
  const config = JSON.parse(await readFile(join(run, 'config.json'), 'utf8'));
  for (let i = first; i < first + copies; i++) {
    const copy = join(folder, `run-${String(i).padStart(4, '0')}`);
    await mkdir(copy, { recursive: true });
    for (const name of SUMMARISED) copyFileSync(join(run, name), join(copy, name));
    writeFileSync(join(copy, 'config.json'), JSON.stringify({ ...config, seed: i }));
  }
}

/** Looks again until something holds, or half a minute is over. */
export async function eventually<Value>(
  look: () => Promise<Value> | Value,
  holds: (value: Value) => boolean,
): Promise<Value> {
  const end = Date.now() + 30_000;
  for (;;) {
    const value = await look();
    if (holds(value)) return value;
    if (Date.now() > end) throw new Error(`it did not come about; the last that was seen: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

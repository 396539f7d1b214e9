import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Random, seededRandom } from '@evenhand/engine';
import autocannon from 'autocannon';
import { train } from 'evenhand';
import type { Comparison } from './measure.js';
import { type Server, startServer } from './server-process.js';

const CLIENTS = 64;
const NUMBERS = 8;
const PEER = 'node:http + onnxruntime-node';

/** What a load of {@link CLIENTS} came to. */
interface Load {
  readonly perSecond: number;
  /** Milliseconds that 99 of 100 requests take at most. */
  readonly p99: number;
}

/**
 * Single rows, asked for by 64 clients that each wait for their answer: `evenhand serve` against a handler that runs the model for
 * every row. Both serve the model that `evenhand train` makes of a small table by default. Clients are in this process.
 */
export async function benchServe(quick: boolean, progress: (text: string) => void): Promise<Comparison[]> {
  const folder = await mkdtemp(join(tmpdir(), 'evenhand-bench-'));
  const servers: Server[] = [];
  try {
    progress('serve: training a model');
    const model = await trainModel(folder, quick);
    const cli = fileURLToPath(new URL('../bin/evenhand.js', import.meta.resolve('evenhand')));
    const ours = await startServer([cli, 'serve', model, '--port', '0', '--quiet', '--json']);
    servers.push(ours);
    const theirs = await startServer([fileURLToPath(new URL('./peers/plain-server.js', import.meta.url)), model]);
    servers.push(theirs);
    const seconds = quick ? 1 : 5;
    for (const { address } of servers) await load(address, seconds); // warms up
    const [best, other]: [Load[], Load[]] = [[], []];
    for (let round = 0; round < (quick ? 1 : 4); round++) {
      best.push(await load(ours.address, seconds));
      other.push(await load(theirs.address, seconds));
      progress(
        `serve: ${Math.round(best.at(-1)?.perSecond ?? 0)} a second; ${PEER} ${Math.round(other.at(-1)?.perSecond ?? 0)}`,
      );
    }
    return [
      comparison(`1000 single rows, ${CLIENTS} clients`, best, other, ({ perSecond }) => 1e6 / perSecond),
      comparison(`p99 of a row, ${CLIENTS} clients`, best, other, ({ p99 }) => p99),
    ];
  } finally {
    for (const { process: child } of servers) child.kill('SIGKILL');
    await rm(folder, { recursive: true });
  }
}

function comparison(
  name: string,
  ours: readonly Load[],
  theirs: readonly Load[],
  of: (load: Load) => number,
): Comparison {
  const [mine, other] = [ours, theirs].map((loads) => Number(Math.min(...loads.map(of)).toPrecision(4)));
  if (mine === undefined || other === undefined) throw new Error('there are two sides');
  return { name, unit: 'ms', ours: mine, theirs: other, peer: PEER, ratio: Number((other / mine).toPrecision(4)) };
}

/** The default learner, on a table of numbers and a category. */
async function trainModel(folder: string, quick: boolean): Promise<string> {
  const random = seededRandom(1, 'bench serve');
  const header = [...Array.from({ length: NUMBERS }, (_, i) => `number${i}`), 'country', 'class'];
  const lines = Array.from({ length: 1200 }, () => rowOf(random).join(','));
  const source = join(folder, 'rows.csv');
  await writeFile(source, `${[header.join(','), ...lines].join('\n')}\n`);
  const run = join(folder, 'run');
  await train({ data: { source, target: 'class' }, ...(quick ? { epochs: 1 } : {}) }, { folder: run });
  return join(run, 'model.onnx');
}

const COUNTRIES = ['NO', 'DE', 'FR', 'IT'];

function rowOf(random: Random): (string | number)[] {
  const isFraud = random() < 0.06;
  const numbers = Array.from({ length: NUMBERS }, (_, i) =>
    (10 * (random() + random()) + (isFraud ? i : 0)).toFixed(3),
  );
  return [...numbers, COUNTRIES[Math.floor(random() * COUNTRIES.length)] ?? '', isFraud ? 'fraud' : 'fine'];
}

async function load(address: string, seconds: number): Promise<Load> {
  const row = Object.fromEntries(Array.from({ length: NUMBERS }, (_, i) => [`number${i}`, 7.25 + i]));
  const { requests, latency, duration, non2xx, errors } = await autocannon({
    url: `${address}/predict`,
    method: 'POST',
    connections: CLIENTS,
    duration: seconds,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...row, country: 'NO' }),
  });
  if (non2xx + errors > 0) throw new Error(`${address} failed ${non2xx + errors} requests`);
  return { perSecond: requests.total / duration, p99: latency.p99 };
}

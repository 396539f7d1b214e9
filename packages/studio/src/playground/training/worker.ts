import type { OnnxRuntime } from '@evenhand/engine';
import { paintedClasses } from '../points.js';
import { Contest } from './contest.js';
import { loadRuntime } from './load-runtime.js';
import type { Message, Order } from './protocol.js';

/** Milliseconds between two pictures. */
const PICTURE = 80;

let runtime: Promise<OnnxRuntime> | undefined;
let contest: Contest | undefined;
/** What the page wants now; only the last wish counts. */
let wish: Extract<Order, { kind: 'train' }> | undefined;
let isRunning = false;
let isWorking = false;

function tell(message: Message): void {
  self.postMessage(message);
}

self.addEventListener('message', ({ data }: MessageEvent<Order>) => void orFailed(() => take(data)));

async function orFailed(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    tell({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
  }
}

async function take(order: Order): Promise<void> {
  if (order.kind === 'start') {
    runtime = loadRuntime(order.runtime);
    return;
  }
  isRunning = order.kind === 'train';
  if (order.kind === 'train') wish = { ...order, restart: order.restart || wish?.restart === true };
  if (isWorking) return;
  isWorking = true;
  try {
    await work();
  } finally {
    isWorking = false;
  }
}

/** Trains and shows, until the networks are at rest or the page says stop. */
async function work(): Promise<void> {
  while (isRunning) {
    const current = await contestNow();
    const until = performance.now() + PICTURE;
    while (!current.isAtRest && performance.now() < until) await current.train();
    const { isAtRest } = current;
    tell({ kind: 'snapshot', snapshot: await current.snapshot(), isAtRest });
    // Orders have arrived meanwhile.
    await new Promise((resolve) => setTimeout(resolve));
    if (isAtRest && wish === undefined) return;
  }
}

/** The contest that the last wish asks for: the one that is on, if that has the same classes. */
async function contestNow(): Promise<Contest> {
  const wanted = wish;
  wish = undefined;
  if (wanted !== undefined) {
    if (runtime === undefined) throw new Error('training was asked for before ONNX Runtime was loaded');
    const { points, rates, restart } = wanted;
    const classes = paintedClasses(points);
    if (!restart && contest !== undefined && classes.join() === contest.classes.join()) contest.change(points, rates);
    else {
      await contest?.close();
      contest = await Contest.create(await runtime, points, rates);
    }
  }
  if (contest === undefined) throw new Error('training was asked for without points');
  return contest;
}

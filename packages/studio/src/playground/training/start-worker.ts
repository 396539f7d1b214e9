import type { Message, Order } from './protocol.js';

/** The parts of the page that are files of their own; their addresses are in the page. */
interface Parts {
  readonly worker: string;
  readonly runtime: string;
}

/** What the parts put into the page, where they are loaded as scripts (vite.playground.config.ts). */
declare global {
  var evenhandPlayground: { readonly runtime?: string; readonly worker?: string } | undefined;
}

/** A worker that trains, as far as the page needs it. */
export interface TrainingWorker {
  send(order: Order): void;
}

/**
 * Starts the worker and loads ONNX Runtime. Scripts are the one kind of file that a page may load wherever it comes from, so both
 * come as scripts where the page was opened as a file, and the worker is then made of its own text.
 */
export async function startWorker(parts: Parts, onMessage: (message: Message) => void): Promise<TrainingWorker> {
  const isFile = location.protocol === 'file:';
  await Promise.all([loadScript(parts.runtime), isFile ? loadScript(parts.worker) : undefined]);
  const { runtime, worker: text = '' } = globalThis.evenhandPlayground ?? {};
  if (runtime === undefined) throw new Error(`${parts.runtime} does not hold ONNX Runtime`);
  const address = isFile ? URL.createObjectURL(new Blob([text], { type: 'text/javascript' })) : parts.worker;
  const worker = new Worker(address);
  worker.addEventListener('message', ({ data }: MessageEvent<Message>) => onMessage(data));
  worker.addEventListener('error', ({ message }) => onMessage({ kind: 'failed', reason: message }));
  const send = (order: Order) => worker.postMessage(order);
  send({ kind: 'start', runtime });
  globalThis.evenhandPlayground = undefined; // some megabytes
  return { send };
}

function loadScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error(`${address} cannot be loaded`)));
    document.head.append(script);
  });
}

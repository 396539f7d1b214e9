import type { TensorData } from '../graph/tensor.js';
import type { Program } from '../training/program.js';
import type { ErrorRecord } from './errors.js';
import type { DeviceOptions } from './onnx-runtime.js';
import type { State } from './training.js';

/** What a worker thread is started with. */
export interface WorkerStart {
  readonly program: Program;
  readonly options: DeviceOptions;
  /** The memory of the `Gate`. */
  readonly gate: SharedArrayBuffer;
}

/** What a worker thread can be asked to do. */
export type Request =
  | { readonly kind: 'start' }
  | { readonly kind: 'steps'; readonly batches: readonly ReadonlyMap<string, TensorData | number | bigint>[] }
  | { readonly kind: 'predict'; readonly rows: TensorData }
  | { readonly kind: 'state' }
  | { readonly kind: 'load'; readonly state: State }
  | { readonly kind: 'close' };

/** What a worker thread answers. */
export type Response =
  | { readonly kind: 'done' }
  | { readonly kind: 'losses'; readonly losses: readonly number[] }
  | { readonly kind: 'predicted'; readonly predicted: Float32Array<ArrayBuffer> }
  | { readonly kind: 'state'; readonly state: State }
  | { readonly kind: 'failed'; readonly error: ErrorRecord };

/** A request on its way, with the number that its response will bear. */
export interface RequestMessage {
  readonly id: number;
  readonly request: Request;
}

/** A response on its way. */
export interface ResponseMessage {
  readonly id: number;
  readonly response: Response;
}

/** The answer, if it is of the kind that was asked for. */
export function expectResponse<Kind extends Response['kind']>(
  response: Response,
  kind: Kind,
): Extract<Response, { readonly kind: Kind }> {
  if (!isKind(response, kind)) throw new Error(`internal: the worker answered ${response.kind}; expected ${kind}`);
  return response;
}

function isKind<Kind extends Response['kind']>(
  response: Response,
  kind: Kind,
): response is Extract<Response, { readonly kind: Kind }> {
  return response.kind === kind;
}

/** The memory of a state's tensors, to hand over instead of copying. */
export function buffersOf(state: State): ArrayBuffer[] {
  return Array.from(state.values(), ({ data }) => data.buffer);
}

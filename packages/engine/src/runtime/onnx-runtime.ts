import type { InferenceSession, Tensor, TensorConstructor } from 'onnxruntime-common';
import { DeviceError } from './errors.js';

/** The device. `cpu` is there everywhere; in a browser it means WebAssembly. */
export type Device = 'cpu' | 'cuda' | 'webgpu' | 'dml' | 'coreml';

/** Where a program runs. */
export interface DeviceOptions {
  /** @defaultValue `'cpu'` */
  readonly device?: Device;
  /**
   * Threads that share the work of one operator. In browsers ONNX Runtime's `env.wasm.numThreads` decides instead.
   *
   * @defaultValue what ONNX Runtime chooses; a `Trainer` has a default of its own
   */
  readonly threads?: number;
}

/** Tensors by name, as ONNX Runtime takes and gives them. */
export type OnnxTensors = Readonly<Record<string, Tensor>>;

/** An ONNX Runtime session, as far as the engine uses it. */
export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: OnnxTensors): Promise<OnnxTensors>;
  release(): Promise<void>;
}

/** ONNX Runtime: the module `onnxruntime-node` or `onnxruntime-web`. */
export interface OnnxRuntime {
  readonly InferenceSession: {
    create(model: Uint8Array, options: InferenceSession.SessionOptions): Promise<OnnxSession>;
  };
  readonly Tensor: TensorConstructor;
  /** Only `onnxruntime-node` has it. */
  readonly listSupportedBackends?: () => readonly { readonly name: string }[];
}

/** Creates a session, and says so in plain words if the device is not there. */
export async function createSession(
  runtime: OnnxRuntime,
  model: Uint8Array,
  { device = 'cpu', threads }: DeviceOptions,
): Promise<OnnxSession> {
  if (threads !== undefined && !(Number.isSafeInteger(threads) && threads >= 1)) {
    throw new RangeError(`threads is ${threads}; expected an integer of at least 1`);
  }
  try {
    return await runtime.InferenceSession.create(model, sessionOptions(device, threads));
  } catch (error) {
    if (device === 'cpu') throw error;
    throw new DeviceError(deviceMessage(runtime, device, error), { cause: error });
  }
}

/**
 * Measured for training (30-128-128-10 MLP, batch 256, two threads): with `session.intra_op.allow_spinning` off a step takes
 * 1.4 times as long; the parallel execution mode is slower. The memory pattern makes nothing faster, but ResNet-32 at batch
 * 128 takes 1,160 MB with it and 690 without.
 */
function sessionOptions(device: Device, threads: number | undefined): InferenceSession.SessionOptions {
  return {
    executionProviders: [device],
    graphOptimizationLevel: 'all',
    executionMode: 'sequential',
    enableMemPattern: false,
    logSeverityLevel: 3,
    ...(threads === undefined ? {} : { intraOpNumThreads: threads }),
  };
}

function deviceMessage(runtime: OnnxRuntime, device: Device, error: unknown): string {
  const offered = runtime.listSupportedBackends?.().map(({ name }) => name);
  const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
  const expected =
    offered === undefined || offered.includes(device)
      ? `expected a machine with its hardware, driver and libraries`
      : `expected one that this build of ONNX Runtime knows: ${offered.join(', ')}`;
  return `the device "${device}" cannot be used; ${expected}; ONNX Runtime says: ${reason}. The device "cpu" always works`;
}

/// <reference types="node" />
import type { Target } from '../graph/emitter.js';
import { DeviceError } from './errors.js';
import type { OnnxRuntime } from './onnx-runtime.js';
import { detectTarget as detect } from './target.js';

/** How onnxruntime-node is installed without what only a GPU needs. */
const INSTALL = 'ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node';

/**
 * Loads onnxruntime-node.
 *
 * @throws {@link DeviceError} with how to install it
 */
export async function loadRuntime(): Promise<OnnxRuntime> {
  try {
    return await import('onnxruntime-node');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DeviceError(
      `onnxruntime-node could not be loaded; expected it to be installed for ${process.platform} ${process.arch}: ` +
        `run "${INSTALL}" (on Linux it needs glibc). The variable leaves out its own install step, which on Linux fetches CUDA ` +
        `libraries from outside of npm and fails where it cannot; the CPU needs none of them. Node says: ${reason}`,
    );
  }
}

let known: Promise<Target> | undefined;

/** The machine that Node runs on, for the option `target` of `createProgram`: its convolutions are then faster. Found out once. */
export function detectTarget(): Promise<Target> {
  known ??= loadRuntime().then(detect);
  return known;
}

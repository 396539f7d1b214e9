import type { OnnxRuntime } from '@evenhand/engine';
import * as onnxRuntime from 'onnxruntime-web/wasm';

/**
 * ONNX Runtime for one thread, without asking any server for anything: a page that was opened as a file may not.
 *
 * @param packed - its WebAssembly, packed by gzip and written in base64
 */
export async function loadRuntime(packed: string): Promise<OnnxRuntime> {
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  onnxRuntime.env.wasm.wasmBinary = await new Response(unpacked).arrayBuffer();
  onnxRuntime.env.wasm.numThreads = 1;
  onnxRuntime.env.logLevel = 'error';
  return onnxRuntime;
}

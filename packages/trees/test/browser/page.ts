// What the page runs. Served as JavaScript; the import map of the test says where the packages are.
import * as onnxRuntime from 'onnxruntime-web/wasm';
import { fit, predict, toONNX } from '../../src/index.js';
import { randomTable, type TableShape } from '../random-table.js';
import { runOnnx } from '../run-onnx.js';

onnxRuntime.env.wasm.wasmPaths = '/node_modules/onnxruntime-web/dist/';
onnxRuntime.env.wasm.numThreads = 1;

/** Trains on one table and answers another, by itself and with ONNX Runtime. */
export async function trainAndPredict(train: TableShape, test: TableShape, rounds: number) {
  const { model } = fit(randomTable(train), { rounds });
  const file = toONNX(model);
  const table = randomTable(test);
  return {
    probabilities: [...predict(model, table)],
    byRuntime: await runOnnx(onnxRuntime, file, table),
  };
}

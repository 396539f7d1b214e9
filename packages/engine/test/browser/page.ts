// What the page runs. Served as JavaScript; the import map of server.ts says where the packages are.
import * as onnxRuntime from 'onnxruntime-web/wasm';
import { exportModel, type Program, ProgramSession, readSafetensors } from '../../src/index.js';
import { lenetFeeds, lenetRows } from '../runtime/lenet.js';
import { predictWithFile } from '../runtime/predict-with-file.js';

onnxRuntime.env.wasm.wasmPaths = '/node_modules/onnxruntime-web/dist/';
onnxRuntime.env.wasm.numThreads = 1;

/** A program as the server sends it: without the arrays, which come as files. */
export type Description = Omit<Program, 'training' | 'inference' | 'portableInference' | 'state'> & {
  readonly state: readonly Omit<Program['state'][number], 'initial'>[];
};

async function download(path: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await fetch(path)).arrayBuffer());
}

async function downloadProgram(): Promise<Program> {
  const description: Description = await (await fetch('/program/description')).json();
  const { tensors } = readSafetensors(await download('/program/state'), { requireChecksum: true });
  const inference = await download('/program/inference');
  return {
    ...description,
    training: await download('/program/training'),
    inference,
    portableInference: inference,
    state: description.state.map((entry) => {
      const initial = tensors.get(entry.name)?.data;
      if (!(initial instanceof Float32Array)) throw new Error(`the server sent no "${entry.name}"`);
      return { ...entry, initial };
    }),
  };
}

/** Trains, and returns what Node is to compare. */
export async function train(steps: number, classNames: readonly string[]) {
  const program = await downloadProgram();
  const session = await ProgramSession.create(onnxRuntime, program);
  const losses: number[] = [];
  for (let step = 0; step < steps; step++) losses.push(await session.step(lenetFeeds(step)));
  const predicted = await session.predict(lenetRows());
  const file = exportModel(program, await session.state(), { classNames });
  await session.close();
  const probabilities = await predictWithFile(onnxRuntime, file, program.input, lenetRows());
  return { losses, predicted: [...predicted], file: [...file], probabilities };
}

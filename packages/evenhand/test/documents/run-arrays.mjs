// Runs a model with the arrays that python.ts sends as JSON: node run-arrays.mjs model.onnx
import { text } from 'node:stream/consumers';
import { InferenceSession, Tensor } from 'onnxruntime-node';

const TYPES = { object: 'string', float32: 'float32', float64: 'float64', uint8: 'uint8' };

const session = await InferenceSession.create(process.argv[2]);
const given = Object.entries(JSON.parse(await text(process.stdin)));
const outputs = await session.run(
  Object.fromEntries(given.map(([name, [type, data, shape]]) => [name, new Tensor(TYPES[type], data, shape)])),
);
console.log(JSON.stringify(session.outputNames.map((name) => [Array.from(outputs[name].data), outputs[name].dims])));

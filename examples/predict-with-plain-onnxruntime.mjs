// A model.onnx written by evenhand needs nothing but ONNX Runtime: node predict-with-plain-onnxruntime.mjs model.onnx rows.json
// The rows are a JSON list of objects; booleans are 0 or 1, dates are milliseconds since 1970, and missing values are left out.
import { readFile } from 'node:fs/promises';
import { InferenceSession, Tensor } from 'onnxruntime-node';

const [model, file] = process.argv.slice(2);
const rows = JSON.parse(await readFile(file, 'utf8'));
const session = await InferenceSession.create(model);
const feeds = session.inputMetadata.map(({ name, type }) => {
  const cells = rows.map((row) => row[name] ?? (type === 'string' ? '' : Number.NaN));
  return [name, new Tensor(type, cells, [rows.length, 1])];
});
const { label, probabilities } = await session.run(Object.fromEntries(feeds));
const classes = probabilities.dims[1];
rows.forEach((_, i) => {
  console.log(label.data[i], ...probabilities.data.slice(i * classes, (i + 1) * classes));
});

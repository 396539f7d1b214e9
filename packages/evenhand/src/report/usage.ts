import type { ColumnType } from '../dataset/column.js';
import type { Preprocessing } from '../preprocessing/preprocessing.js';
import { type Html, html } from './html.js';
import { scrolling, section } from './page.js';

/** Columns that a snippet names; the others are a comment. */
const NAMED = 3;

/** A value to show how a column is fed. */
function exampleOf(type: ColumnType): { readonly type: string; readonly value: string } {
  switch (type.kind) {
    case 'categorical':
      return { type: 'string', value: JSON.stringify(type.categories[0] ?? '') };
    case 'date':
      return { type: 'float64', value: '1735689600000' };
    default:
      return { type: 'float32', value: '0' };
  }
}

/** How to predict with `model.onnx` in Node, in a browser and in Python. */
export function usageSection(preprocessing: Preprocessing): Html {
  const snippets =
    preprocessing.kind === 'images' ? imageSnippets(preprocessing.shape) : tableSnippets(preprocessing.columns);
  const about =
    preprocessing.kind === 'images'
      ? 'It takes pixels from 0 to 255; the normalisation is inside.'
      : 'It takes raw columns; standardisation, imputation and categories are inside. A missing number is NaN, a missing text is empty; booleans are 0 or 1, dates milliseconds since 1970.';
  return section(
    'Use the model',
    html`<p><code>model.onnx</code> is all you need: any ONNX Runtime runs it. ${about}</p>
${snippets.map(([title, code]) => html`<h3>${title}</h3>${scrolling(`Code: ${title}`, html`<pre><code>${code}</code></pre>`)}`)}`,
  );
}

function imageSnippets(shape: readonly number[]): [string, string][] {
  const size = shape.join(', ');
  const run = `const images = new Tensor('uint8', pixels, [1, ${size}]); // a Uint8Array: channels, rows, columns
const { label, probabilities } = await session.run({ images });`;
  return [
    [
      'Node, with evenhand',
      `import { openModel } from 'evenhand';

const model = await openModel('model.onnx');
const { labels, probabilities } = await model.predictImages(['photo.jpg']);`,
    ],
    ['Browser, with onnxruntime-web', browser(run)],
    [
      'Python, with onnxruntime',
      `import numpy, onnxruntime

session = onnxruntime.InferenceSession("model.onnx")
images = numpy.zeros((1, ${size}), dtype=numpy.uint8)  # channels, rows, columns
label, probabilities = session.run(None, {"images": images})`,
    ],
  ];
}

function tableSnippets(columns: readonly { readonly type: ColumnType }[]): [string, string][] {
  const shown = columns.slice(0, NAMED).map(({ type }) => ({ name: JSON.stringify(type.name), ...exampleOf(type) }));
  const others = columns.length - shown.length;
  const more = (mark: string) => (others === 0 ? '' : `\n  ${mark} … and the other ${others}`);
  const feeds = shown
    .map(({ name, type, value }) => `\n  [${name}]: new Tensor('${type}', [${value}], [1, 1]),`)
    .join('');
  const arrays = shown.map(
    ({ name, type, value }) =>
      `\n  ${name}: numpy.array([[${value}]], dtype=${type === 'string' ? 'object' : `numpy.${type}`}),`,
  );
  return [
    [
      'Node, with evenhand',
      `import { openModel } from 'evenhand';

const model = await openModel('model.onnx');
const { labels, probabilities } = await model.predictFile('new-rows.csv'); // columns are found by name`,
    ],
    [
      'Browser, with onnxruntime-web',
      browser(`const { label, probabilities } = await session.run({${feeds}${more('//')}\n});`),
    ],
    [
      'Python, with onnxruntime',
      `import numpy, onnxruntime

session = onnxruntime.InferenceSession("model.onnx")
label, probabilities = session.run(None, {${arrays.join('')}${more('#')}\n})`,
    ],
  ];
}

function browser(run: string): string {
  return `import { InferenceSession, Tensor } from 'onnxruntime-web';

const session = await InferenceSession.create('model.onnx');
${run}`;
}

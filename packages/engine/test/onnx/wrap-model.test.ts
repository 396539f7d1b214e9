import * as onnxRuntime from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { Graph } from '../../src/graph/graph.js';
import { readMetadata, withMetadata } from '../../src/onnx/metadata.js';
import { onnxModel } from '../../src/onnx/model.js';
import { ModelError, readModel } from '../../src/onnx/read-model.js';
import { type ModelWrapping, wrapModel } from '../../src/onnx/wrap-model.js';
import { add, mul } from '../../src/operations/arithmetic.js';

/** `y = (x + 1)²` for a batch of two rows of three, with a value inside that is named `sum/add.Add0`. */
function network(): Uint8Array {
  const graph = new Graph();
  const sum = graph.scope('sum', () => add(graph.input('x', [2, 3]), 1));
  return onnxModel(graph, { y: mul(sum, sum) }, { name: 'network' });
}

/** Takes a text, for the first column, and two numbers; gives `2·y` in float64, and on which side the largest one is. */
function wrapping(text: string, numbers: string): ModelWrapping {
  return {
    inputs: [
      { name: text, type: 'string', shape: [1] },
      { name: numbers, type: 'float64', shape: [2] },
    ],
    before: (writer) => {
      const codes = writer.node(
        'code',
        'LabelEncoder',
        [text],
        { keys_strings: { texts: ['one', 'two'] }, values_floats: { floats: [1, 2] }, default_float: { float: -1 } },
        'ai.onnx.ml',
      );
      return writer.node('input', 'Concat', [codes, writer.cast('narrow', numbers, 'float32')], { axis: 1 });
    },
    after: (writer, output) => {
      const doubled = writer.node('y', 'Mul', [writer.cast('wide', output, 'float64'), writer.scalar('two', 2)]);
      const names = writer.constant('names', ['low', 'high']);
      const largest = writer.node('largest', 'ArgMax', [output], { axis: 1, keepdims: 0 });
      const first = writer.node('first', 'Min', [largest, writer.constant('last', BigInt64Array.of(1n))]);
      return [
        { name: doubled, type: 'float64', shape: [3] },
        { name: writer.node('side', 'Gather', [names, first]), type: 'string', shape: [] },
      ];
    },
  };
}

async function run(model: Uint8Array, text: string, numbers: string) {
  const session = await onnxRuntime.InferenceSession.create(model, { logSeverityLevel: 3 });
  const results = await session.run({
    [text]: new onnxRuntime.Tensor('string', ['two', 'three'], [2, 1]),
    [numbers]: new onnxRuntime.Tensor('float64', Float64Array.of(0, 1, 2, 3), [2, 2]),
  });
  await session.release();
  return session.outputNames.map((name) => [name, results[name]?.data]);
}

describe('a model with nodes around it', () => {
  it('computes them in front and behind', async () => {
    expect(await run(wrapModel(network(), wrapping('text', 'numbers')), 'text', 'numbers')).toEqual([
      ['y', Float64Array.of(18, 2, 8, 0, 18, 32)],
      ['side', ['low', 'high']],
    ]);
  });

  it('takes its inputs under the names it is given, whatever its values are called', async () => {
    expect(await run(wrapModel(network(), wrapping('y', 'sum/add.Add0')), 'y', 'sum/add.Add0')).toEqual([
      ['y_', Float64Array.of(18, 2, 8, 0, 18, 32)],
      ['side', ['low', 'high']],
    ]);
    expect(await run(wrapModel(network(), wrapping('x', 'side')), 'x', 'side')).toEqual([
      ['y', Float64Array.of(18, 2, 8, 0, 18, 32)],
      ['side_', ['low', 'high']],
    ]);
  });

  it('keeps its metadata unless it is given others', () => {
    const classNames = ['low', 'high'];
    const named = withMetadata(network(), { classNames });
    const around = wrapping('text', 'numbers');
    expect(readMetadata(readModel(wrapModel(named, around)))).toEqual({ classNames });
    const metadata = { preprocessing: [1, 2] };
    expect(readMetadata(readModel(wrapModel(named, { ...around, metadata })))).toEqual(metadata);
  });

  it('has one input and one output, with a batch', () => {
    const graph = new Graph();
    const [a, b] = [graph.input('a', [2]), graph.input('b', [2])];
    const two = onnxModel(graph, { y: add(a, b) }, { name: 'two' });
    expect(() => wrapModel(two, wrapping('text', 'numbers'))).toThrow(
      new ModelError('the model has 2 inputs and 1 outputs; expected one of each'),
    );
    const scalar = new Graph();
    const single = onnxModel(scalar, { y: add(scalar.input('x', []), 1) }, { name: 'scalar' });
    expect(() => wrapModel(single, wrapping('text', 'numbers'))).toThrow(
      new ModelError('the model\'s "y" has no axes; expected a batch in front'),
    );
  });
});

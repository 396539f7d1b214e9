import { type NodeWriter, wrapModel } from '@evenhand/engine';
import { type TreeModel, toONNX } from '@evenhand/trees';
import type { TreeFeatures } from '../preprocessing/tree-features.js';

/** Trees as a model that takes what networks take, so that both can be mixed behind one preprocessing. */
export function exportTrees(model: TreeModel, features: TreeFeatures): Uint8Array<ArrayBuffer> {
  // Nodes keep their names when models are joined, and other parts have a "probabilities" of their own.
  return wrapModel(toONNX(model, { output: 'treeProbabilities' }), {
    inputs: [{ name: 'input', type: 'float32', shape: [features.inputs] }],
    before: (writer) => writeTreeValues(writer, features),
    after: (_, output) => [{ name: output, type: 'float32', shape: [model.classes] }],
  });
}

/** The arithmetic of `treeValues`. */
function writeTreeValues(writer: NodeWriter, { flagged, others }: TreeFeatures): string {
  const pick = (name: string, features: readonly number[]) =>
    writer.node(name, 'Gather', ['input', writer.constant(`${name}/places`, BigInt64Array.from(features, BigInt))], {
      axis: 1,
    });
  const parts: string[] = [];
  if (flagged.length > 0) {
    const numbers = pick(
      'trees/numbers',
      flagged.map(({ number }) => number),
    );
    const flags = pick(
      'trees/flags',
      flagged.map(({ flag }) => flag),
    );
    const missing = writer.cast('trees/missing', writer.scalar('trees/notANumber', Number.NaN), 'float32');
    parts.push(
      writer.node('trees/withMissing', 'Where', [writer.cast('trees/isMissing', flags, 'bool'), missing, numbers]),
    );
  }
  if (others.length > 0) parts.push(pick('trees/others', others));
  return writer.node('trees/input', 'Concat', parts, { axis: 1 });
}

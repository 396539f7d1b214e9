import type { State } from '@evenhand/engine';
import { exportTableModel } from '../../prediction/export-model.js';
import { UserError } from '../../user-error.js';
import type { RowFeatures } from '../rows/row-features.js';
import { type NetworkPlan, networkProgram, widened } from './stream-network.js';

/**
 * A stream's network as a `model.onnx`, with the scale of the moment and without the room for classes to come.
 *
 * @throws {@link UserError} if there are fewer than two classes
 */
export function exportStreamModel(
  plan: NetworkPlan,
  state: State,
  features: RowFeatures,
  classNames: readonly string[],
): Uint8Array<ArrayBuffer> {
  if (classNames.length < 2) {
    throw new UserError(
      `the model cannot be exported yet: the stream has shown ${classNames.length === 0 ? 'no class' : `only the class "${classNames[0]}"`} ` +
        `to learn from; expected two. Wait for ${plan.options.batch} rows with labels, or lower batch`,
    );
  }
  const program = networkProgram(plan, classNames.length, 'probabilities');
  const shapes = new Map(program.state.map(({ name, shape, initial }) => [name, { shape, data: initial.slice() }]));
  const network = { program, state: widened(shapes, state) };
  return exportTableModel([network], features.preprocessing(plan.options.target), classNames);
}

import { UserError } from '../user-error.js';
import { nearestName } from '../wording/nearest-name.js';

/**
 * Classes by name as indices of a model's list of classes, for evaluation. The list is the model's: a class that training
 * never saw is refused, and shifts nothing.
 *
 * @param nameOfRow - what a message calls a row
 * @throws UserError
 */
export function classIndices(
  labels: readonly string[],
  classNames: readonly string[],
  nameOfRow: (row: number) => string = (row) => `row ${row + 1}`,
): Int32Array<ArrayBuffer> {
  const indices = new Map(classNames.map((name, i) => [name, i]));
  return Int32Array.from(labels, (label, row) => {
    const index = indices.get(label);
    if (index !== undefined) return index;
    const count = labels.filter((other) => other === label).length;
    const nearest = nearestName(label, classNames);
    throw new UserError(
      `The class "${label}", of ${nameOfRow(row)}${count === 1 ? '' : ` and ${count - 1} more`}, is not one that the model was ` +
        `trained with: ${classNames.map((name) => `"${name}"`).join(', ')}. ` +
        `${nearest === undefined ? '' : `Is it "${nearest}"? `}Leave such rows out, or train again with this class.`,
    );
  });
}

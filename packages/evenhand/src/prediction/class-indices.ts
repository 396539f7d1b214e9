import { UserError } from '../user-error.js';
import { nearestName } from '../wording/nearest-name.js';

/**
 * Classes by name as places in a model's list of classes, for evaluation. The list is the model's: a class that training
 * never saw is refused, and shifts nothing.
 *
 * @param placeOf - what a message calls a row
 * @throws UserError
 */
export function classIndices(
  labels: readonly string[],
  classNames: readonly string[],
  placeOf: (row: number) => string = (row) => `row ${row + 1}`,
): Int32Array<ArrayBuffer> {
  const places = new Map(classNames.map((name, i) => [name, i]));
  return Int32Array.from(labels, (label, row) => {
    const place = places.get(label);
    if (place !== undefined) return place;
    const count = labels.filter((other) => other === label).length;
    const nearest = nearestName(label, classNames);
    throw new UserError(
      `The class "${label}", of ${placeOf(row)}${count === 1 ? '' : ` and ${count - 1} more`}, is none that the model was ` +
        `trained with: ${classNames.map((name) => `"${name}"`).join(', ')}. ` +
        `${nearest === undefined ? '' : `Is it "${nearest}"? `}Leave such rows out, or train again with this class.`,
    );
  });
}

import { type Shape, sameShape, sizeOf } from '../graph/tensor.js';
import type { StateEntry } from '../training/program.js';
import { StateError } from './errors.js';
import type { State, StateTensor } from './training.js';

/** Differences that a message lists; the first ones are the telling ones. */
const LISTED = 5;

/** The state that training begins with. */
export function initialState(entries: readonly StateEntry[]): State {
  return checkState(entries, new Map(entries.map(({ name, shape, initial }) => [name, { shape, data: initial }])));
}

/** The vectors that a state lies in, by name. */
export function packState(entries: readonly StateEntry[], state: State): Map<string, Float32Array> {
  const vectors = new Map<string, Float32Array>();
  const places = placesOf(entries);
  for (const { vector, end } of places) vectors.set(vector, new Float32Array(end));
  for (const { entry, vector, offset } of places) {
    const tensor = state.get(entry.name);
    if (tensor === undefined) throw new Error(`internal: the state has no "${entry.name}"`);
    vectors.get(vector)?.set(tensor.data, offset);
  }
  return vectors;
}

/** The state that lies in vectors. A copy. */
export function unpackState(entries: readonly StateEntry[], vectors: ReadonlyMap<string, Float32Array>): State {
  return new Map(
    placesOf(entries).map(({ entry: { name, shape }, vector, offset, end }) => {
      const data = vectors.get(vector)?.slice(offset, end);
      if (data === undefined) throw new Error(`internal: the state has lost "${vector}"`);
      return [name, { shape, data }];
    }),
  );
}

/** Where each entry begins and ends in its vector. */
function placesOf(entries: readonly StateEntry[]) {
  const ends = new Map<string, number>();
  return entries.map((entry) => {
    const { vector, shape } = entry;
    const offset = ends.get(vector) ?? 0;
    const end = offset + sizeOf(shape);
    ends.set(vector, end);
    return { entry, vector, offset, end };
  });
}

/**
 * Compares a state with the entries that a program has, and copies it.
 *
 * @throws {@link StateError} that lists the first differences
 */
export function checkState(
  entries: readonly StateEntry[],
  state: ReadonlyMap<string, { readonly shape: Shape; readonly data: ArrayBufferView }>,
): State {
  const checked = new Map<string, StateTensor>();
  const differences: string[] = [];
  for (const { name, shape } of entries) {
    const given = state.get(name);
    const difference = differenceOf(shape, given);
    if (difference !== undefined) differences.push(`"${name}" ${difference}`);
    else if (given?.data instanceof Float32Array) checked.set(name, { shape, data: given.data.slice() });
  }
  for (const name of state.keys()) {
    if (!entries.some((entry) => entry.name === name)) differences.push(`"${name}" is not part of this program`);
  }
  if (differences.length === 0) return checked;
  const more = differences.length > LISTED ? `; and ${differences.length - LISTED} more` : '';
  throw new StateError(
    `the weights do not fit the program: ${differences.slice(0, LISTED).join('; ')}${more}. Nothing was loaded; load ` +
      'weights that were saved from the same model, with the same optimizer',
  );
}

function differenceOf(
  expected: Shape,
  given: { readonly shape: Shape; readonly data: ArrayBufferView } | undefined,
): string | undefined {
  if (given === undefined) return `is missing, expected [${expected.join(', ')}]`;
  if (!sameShape(expected, given.shape)) {
    return `has shape [${given.shape.join(', ')}], expected [${expected.join(', ')}]`;
  }
  if (!(given.data instanceof Float32Array)) return `is a ${given.data.constructor.name}, expected a Float32Array`;
  if (given.data.length !== sizeOf(expected)) {
    return `has ${given.data.length} values, expected ${sizeOf(expected)} for [${expected.join(', ')}]`;
  }
  return undefined;
}

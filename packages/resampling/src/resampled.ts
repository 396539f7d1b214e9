/**
 * Rows that are made, not taken: each is its first parent, moved towards its other parents by their weights,
 * `x₀ + Σ wⱼ·(xⱼ − x₀)`. The weights of a row sum to 1.
 */
export interface SyntheticRows {
  /** The parents of row `i` are those from `offsets[i]` to `offsets[i + 1] − 1`. */
  readonly offsets: Int32Array;
  /** Row numbers of the data that was given. */
  readonly parents: Int32Array;
  readonly weights: Float64Array;
  /** Columns whose values are copied from a donor because there is nothing between two categories: SMOTE-NC and SMOTEN. */
  readonly categorical: Int32Array;
  /** For each synthetic row and categorical column the row number that the value is copied from. */
  readonly donors: Int32Array;
  /** What is added to every value, row after row; empty except for random over-sampling with shrinkage. */
  readonly noise: Float64Array;
}

/**
 * What every method returns: the rows that stay, as row numbers of the data given, followed by the synthetic rows. `buildRows` and `buildCategories`
 * turn it into matrices and columns.
 */
export interface Resampled {
  /** Numbers of the rows taken, in ascending order; a row that random over-sampling repeats is listed again at the end. */
  readonly rows: Int32Array;
  readonly synthetic: SyntheticRows;
  /** The class of every row of the result: of those taken, then of the synthetic ones. */
  readonly labels: Int32Array;
}

const NONE: SyntheticRows = {
  offsets: new Int32Array(1),
  parents: new Int32Array(),
  weights: new Float64Array(),
  categorical: new Int32Array(),
  donors: new Int32Array(),
  noise: new Float64Array(),
};

/** A selection of rows, with nothing synthetic. */
export function selection(rows: Int32Array, labels: Int32Array): Resampled {
  return { rows, synthetic: NONE, labels: rows.map((row) => labels[row] ?? 0) };
}

/** How many synthetic rows there are. */
export function countSynthetic({ synthetic }: Resampled): number {
  return synthetic.offsets.length - 1;
}

/** What a method says of the synthetic rows that it makes. */
interface Made {
  readonly label: number;
  readonly parents: Int32Array;
  readonly weights: Float64Array;
  /** Parents of each row: the same number for all, or a list of where they begin. */
  readonly offsets: Int32Array;
  readonly donors?: Int32Array;
  readonly noise?: Float64Array;
}

/** Rows taken, with the synthetic rows of several classes behind them. */
export function withSynthetic(
  rows: Int32Array,
  labels: Int32Array,
  made: readonly Made[],
  categorical: Int32Array = NONE.categorical,
): Resampled {
  const counts = made.map(({ offsets }) => offsets.length - 1);
  const count = counts.reduce((sum, n) => sum + n, 0);
  const offsets = new Int32Array(count + 1);
  const resultLabels = new Int32Array(rows.length + count);
  for (let i = 0; i < rows.length; i++) resultLabels[i] = labels[rows[i] ?? 0] ?? 0;
  let [row, parent] = [0, 0];
  for (const { label, offsets: own } of made) {
    resultLabels.fill(label, rows.length + row, rows.length + row + own.length - 1);
    for (let i = 1; i < own.length; i++) offsets[++row] = parent + (own[i] ?? 0);
    parent += own[own.length - 1] ?? 0;
  }
  return {
    rows,
    labels: resultLabels,
    synthetic: {
      offsets,
      parents: joined(
        Int32Array,
        made.map(({ parents }) => parents),
      ),
      weights: joined(
        Float64Array,
        made.map(({ weights }) => weights),
      ),
      categorical,
      donors: joined(
        Int32Array,
        made.map(({ donors }) => donors ?? NONE.donors),
      ),
      noise: joined(
        Float64Array,
        made.map(({ noise }) => noise ?? NONE.noise),
      ),
    },
  };
}

/** Where parents begin if every row has the same number of them. */
export function evenOffsets(rows: number, parentsEach: number): Int32Array {
  const offsets = new Int32Array(rows + 1);
  for (let row = 0; row <= rows; row++) offsets[row] = row * parentsEach;
  return offsets;
}

function joined<List extends Int32Array | Float64Array>(
  Kind: new (length: number) => List,
  lists: readonly List[],
): List {
  const [only] = lists;
  if (lists.length === 1 && only !== undefined) return only;
  const all = new Kind(lists.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const list of lists) {
    all.set(list, place);
    place += list.length;
  }
  return all;
}

/** The result without some of its rows: `kept` are positions in the result, ascending. */
export function subsetOf({ rows, synthetic, labels }: Resampled, kept: Int32Array): Resampled {
  const taken = kept.filter((place) => place < rows.length);
  const made = kept.subarray(taken.length).map((place) => place - rows.length);
  const offsets = new Int32Array(made.length + 1);
  const [parents, weights]: [number[], number[]] = [[], []];
  for (let i = 0; i < made.length; i++) {
    const row = made[i] ?? 0;
    for (let j = synthetic.offsets[row] ?? 0; j < (synthetic.offsets[row + 1] ?? 0); j++) {
      parents.push(synthetic.parents[j] ?? 0);
      weights.push(synthetic.weights[j] ?? 0);
    }
    offsets[i + 1] = parents.length;
  }
  return {
    rows: taken.map((place) => rows[place] ?? 0),
    labels: kept.map((place) => labels[place] ?? 0),
    synthetic: { ...NONE, offsets, parents: Int32Array.from(parents), weights: Float64Array.from(weights) },
  };
}

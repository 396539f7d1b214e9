import fc from 'fast-check';

/** Labelled probabilities of a classifier that need not be any good. */
export interface Outputs {
  readonly classes: number;
  readonly labels: number[];
  /** Rows that sum to 1 as float32 numbers do. */
  readonly probabilities: Float32Array;
}

/** Outputs for 2 to `mostClasses` classes; some classes absent, some rows nearly one-hot, some exactly. */
export function outputs(mostClasses = 200, mostInstances = 40): fc.Arbitrary<Outputs> {
  return fc
    .record({
      classes: fc.integer({ min: 2, max: mostClasses }),
      instances: fc.integer({ min: 1, max: mostInstances }),
    })
    .chain(({ classes, instances }) =>
      fc.record({
        classes: fc.constant(classes),
        labels: fc.array(fc.integer({ min: 0, max: classes - 1 }), { minLength: instances, maxLength: instances }),
        seed: fc.integer(),
        sharpness: fc.constantFrom(0, 1, 5, 50),
      }),
    )
    .map(({ classes, labels, seed, sharpness }) => ({
      classes,
      labels,
      probabilities: softmaxRows(labels.length, classes, sharpness, uniform(seed)),
    }));
}

/** A permutation of `0 … classes − 1` that a seed decides. */
export function permutation(classes: number, seed: number): number[] {
  const random = uniform(seed);
  return Array.from({ length: classes }, (_, p) => ({ p, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ p }) => p);
}

/** Uniform numbers in [0, 1) from mulberry32. */
export function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function softmaxRows(rows: number, classes: number, sharpness: number, random: () => number): Float32Array {
  const values = new Float32Array(rows * classes);
  for (let i = 0; i < rows; i++) {
    const weights = Array.from({ length: classes }, () => Math.exp(sharpness * random()) * (0.01 + random()));
    const sum = weights.reduce((a, b) => a + b);
    values.set(
      weights.map((weight) => weight / sum),
      i * classes,
    );
  }
  return values;
}

/** Entry `[row, column]` of a matrix given row after row. */
export function entry(matrix: ArrayLike<number>, columns: number, row: number, column: number): number {
  return matrix[row * columns + column] ?? Number.NaN;
}

/** Fails at the first entry `[row, column]` for which `holds` does not. */
export function expectEvery(
  matrix: ArrayLike<number>,
  columns: number,
  holds: (value: number, row: number, column: number) => boolean,
): void {
  for (let i = 0; i < matrix.length; i++) {
    const value = matrix[i] ?? Number.NaN;
    const row = Math.floor(i / columns);
    if (!holds(value, row, i - row * columns)) throw new Error(`[${row}, ${i - row * columns}] is ${value}`);
  }
}

/** The same length and the same bits; much faster than toEqual on large arrays. */
export function expectSame(actual: ArrayLike<number>, expected: ArrayLike<number>): void {
  if (actual.length !== expected.length) throw new Error(`length ${actual.length}, expected ${expected.length}`);
  expectEvery(actual, 1, (value, i) => Object.is(value, expected[i]));
}

/** The outputs after renaming class p to `to[p]`. */
export function permuted({ classes, labels, probabilities }: Outputs, to: readonly number[]): Outputs {
  const renamed = new Float32Array(probabilities.length);
  for (let i = 0; i < labels.length; i++) {
    for (let q = 0; q < classes; q++) renamed[i * classes + (to[q] ?? 0)] = entry(probabilities, classes, i, q);
  }
  return { classes, labels: labels.map((p) => to[p] ?? 0), probabilities: renamed };
}

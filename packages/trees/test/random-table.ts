import type { TrainingData } from '../src/index.js';

/** The generator of scripts/scikit_learn_boosting.py: numbers in [0, 1). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** What a table is drawn with. */
export interface TableShape {
  readonly seed: number;
  readonly rows: number;
  readonly columns: number;
  readonly classes: number;
  readonly missing: number;
  readonly categories: number;
}

/** The table of scripts/scikit_learn_boosting.py. Column 0 has categories if there are any. */
export function randomTable({ seed, rows, columns, classes, missing, categories }: TableShape): TrainingData {
  const random = generator(seed);
  const values = new Float32Array(rows * columns);
  const labels = new Int32Array(rows);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      let value = Math.floor(random() * 512) / 64 - 4;
      if (j === 0 && categories > 0) value = Math.floor(random() * categories);
      values[i * columns + j] = random() < missing ? Number.NaN : value;
    }
    const at = (j: number) => values[i * columns + j] ?? 0;
    const first = categories > 0 ? (at(0) * 7) % 5 : at(0);
    const [a = 0, b = 0, c = 0] = [first, at(1), at(2)].map((value) => (Number.isNaN(value) ? 0.5 : value));
    const score = Math.abs(a) + (b * c) / 4 + 2 * random();
    labels[i] = Math.min(classes - 1, Math.max(0, Math.floor(score - 1)));
  }
  return { values, columns, classes, labels, ...(categories > 0 ? { categorical: [0] } : {}) };
}

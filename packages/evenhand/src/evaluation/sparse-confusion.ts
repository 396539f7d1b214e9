import { float64At, int32At } from '../checked-access.js';

/**
 * A confusion matrix by those of its cells that are not 0, row by row: there are no more of them than instances, however many classes there
 * are.
 */
export interface SparseConfusion {
  readonly classes: number;
  /** The true class of each cell, and the predicted one. */
  readonly rows: Int32Array;
  readonly columns: Int32Array;
  /** The instances of each cell. */
  readonly counts: Float64Array;
}

/** @param confusion - `[true class, predicted class]` */
export function sparseConfusion(confusion: ArrayLike<number>, classes: number): SparseConfusion {
  const cells: number[] = [];
  for (let cell = 0; cell < confusion.length; cell++) if (confusion[cell] !== 0) cells.push(cell);
  return {
    classes,
    rows: Int32Array.from(cells, (cell) => Math.floor(cell / classes)),
    columns: Int32Array.from(cells, (cell) => cell % classes),
    counts: Float64Array.from(cells, (cell) => confusion[cell] ?? 0),
  };
}

/** All cells, row after row. */
export function denseConfusion({ classes, rows, columns, counts }: SparseConfusion): number[] {
  const confusion = new Array<number>(classes * classes).fill(0);
  for (const [cell, row] of rows.entries()) confusion[row * classes + int32At(columns, cell)] = float64At(counts, cell);
  return confusion;
}

import { at } from '../checked-access.js';
import type { CellResult } from '../results/cell-result.js';

/** The mean of the cells' soft-confusion matrices; undefined where there is none. */
export function meanSoftConfusion(cells: readonly CellResult[]): number[][] | undefined {
  const matrices = cells.flatMap(({ softConfusion }) => (softConfusion === null ? [] : [softConfusion]));
  const [first] = matrices;
  return first?.map((row, p) =>
    row.map((_, q) => matrices.reduce((sum, matrix) => sum + at(at(matrix, p), q), 0) / matrices.length),
  );
}

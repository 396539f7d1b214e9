import { PAPER_METHODS, type PaperMethod } from '../tables.js';
import { rarestFirst } from './chart-classes.js';
import { points, signed } from './numbers.js';
import { isIllustrated, type RowMaps } from './output-maps.js';
import { type ResultRow, type ResultTable, tableCells } from './results.js';
import { meanSoftConfusion } from './soft-confusion.js';
import type { Statement } from './statement.js';
import { rowTitle } from './titles.js';

/** What the paper's text says about its soft-confusion matrices and its t-SNE. */
export function figureStatements(tables: readonly ResultTable[], maps: readonly RowMaps[]): Statement[] {
  const rows = tables.flatMap((table) => table.rows.filter(isIllustrated));
  return [...rows.flatMap((row) => [majorityAndMinority(row), massLost(row)]), ...maps.map(concentrated)];
}

/** The row-normalised soft-confusion matrix of a method, in per cent. */
function matrixOf(row: ResultRow, method: PaperMethod): number[][] | undefined {
  return meanSoftConfusion(tableCells(row, method))?.map((shares) => shares.map((share) => 100 * share));
}

function majorityAndMinority(row: ResultRow): Statement {
  const claim = `${rowTitle(row)}: enhancement may cost the two largest classes a little, and improves the five rarest a lot (diagonal of the soft-confusion matrix).`;
  const [before, after] = [matrixOf(row, 'one-hot'), matrixOf(row, 'enhancement')];
  const counts = row.cells[0]?.trainingCounts;
  if (before === undefined || after === undefined || counts === undefined) return notRun(claim);
  const order = rarestFirst(counts);
  const change = (classes: readonly number[]) => mean(classes.map((p) => (after[p]?.[p] ?? 0) - (before[p]?.[p] ?? 0)));
  const [largest, rarest] = [change(order.slice(-2)), change(order.slice(0, 5))];
  // “A little” and “a lot” are not defined in the paper: the loss, if any, has to be the smaller change.
  const verdict = rarest <= 0 ? 'disagrees' : rarest > Math.max(0, -largest) ? 'agrees' : 'partly';
  return {
    claim,
    measured: `Mean change of the probability of the right class: ${signed(largest)} points in the two largest classes, ${signed(rarest)} in the five rarest.`,
    verdict,
  };
}

function massLost(row: ResultRow): Statement {
  const claim = `${rowTitle(row)}: with cost-sensitiveness, the two rarest classes lose less to the two largest (bottom left corner of the soft-confusion matrix).`;
  const counts = row.cells[0]?.trainingCounts;
  const lost = new Map(
    PAPER_METHODS.flatMap((method): [PaperMethod, number][] => {
      const matrix = matrixOf(row, method);
      if (matrix === undefined || counts === undefined) return [];
      const order = rarestFirst(counts);
      const rows = order.slice(0, 2).map((p) => matrix[p] ?? []);
      const sum = (shares: readonly number[]) => order.slice(-2).reduce((total, q) => total + (shares[q] ?? 0), 0);
      return [[method, mean(rows.map(sum))]];
    }),
  );
  const [oneHot, costSensitiveness] = [lost.get('one-hot'), lost.get('cost-sensitiveness')];
  const listed = Array.from(lost, ([method, mass]) => `${method} ${points(mass)}`).join(', ');
  const measured = `Probability, in per cent, that images of the two rarest classes give to the two largest: ${listed}.`;
  if (oneHot === undefined || costSensitiveness === undefined) {
    return { ...notRun(claim), measured: listed === '' ? 'Nothing was run.' : `${measured} The claim needs both.` };
  }
  return { claim, measured, verdict: costSensitiveness < oneHot ? 'agrees' : 'disagrees' };
}

function concentrated({ row, maps }: RowMaps): Statement {
  const claim = `${rowTitle(row)}: with enhancement, test images with the same prediction are more concentrated (t-SNE).`;
  if (maps === undefined)
    return { claim, measured: 'There are no run folders with test outputs.', verdict: 'not measured' };
  const { 'one-hot': before, enhancement: after } = maps;
  const lower = [after.outputScatter < before.outputScatter, after.mapScatter < before.mapScatter];
  return {
    claim,
    measured:
      'Scatter within predictions, the squared distances from the mean of all images with the same prediction over those ' +
      `from the mean of all: ${before.outputScatter.toFixed(3)} → ${after.outputScatter.toFixed(3)} of the network’s outputs, ` +
      `${before.mapScatter.toFixed(3)} → ${after.mapScatter.toFixed(3)} on the map (one-hot → enhancement).`,
    verdict: lower.every(Boolean) ? 'agrees' : lower.some(Boolean) ? 'partly' : 'disagrees',
  };
}

function notRun(claim: string): Statement {
  return { claim, measured: 'Nothing was run.', verdict: 'not measured' };
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

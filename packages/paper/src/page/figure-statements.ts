import { counted } from 'evenhand/report';
import { at } from '../checked-access.js';
import { points, signed } from '../numbers.js';
import { PAPER_SEEDS, type PaperMethod } from '../tables/tables.js';
import { rarestFirst } from './chart-classes.js';
import { isIllustrated, type RowMaps } from './output-maps.js';
import { type ResultRow, type ResultTable, tableCells } from './results.js';
import { meanSoftConfusion } from './soft-confusion.js';
import { allOf, type Statement } from './statement.js';
import { rowTitle, tableTitle } from './titles.js';

/** What the paper's text says about its soft-confusion matrices and its t-SNE: both are of CIFAR-10-LT alone. */
export function figureStatements(tables: readonly ResultTable[], maps: readonly RowMaps[]): Statement[] {
  return tables.flatMap((table) =>
    table.rows.filter(isInThePaper).flatMap((row) => {
      const title = `${tableTitle(table)}, ${rowTitle(row)}`;
      const own = maps.filter((map) => map.row === row);
      return [majorityAndMinority(title, row), massLost(title, row), ...own.map((map) => concentrated(title, map))];
    }),
  );
}

function isInThePaper(row: ResultRow): boolean {
  return isIllustrated(row) && row.setting.name === 'cifar10-lt';
}

/** The mean soft-confusion matrices of one-hot and of another method, row-normalised and in per cent. */
interface MatrixPair {
  /** Those that both have. */
  readonly seeds: number;
  readonly before: number[][];
  readonly after: number[][];
  /** Classes from the rarest to the largest. */
  readonly classes: readonly number[];
}

/** Undefined where no seed has both. */
function matricesOf(row: ResultRow, method: PaperMethod): MatrixPair | undefined {
  const [oneHot, other] = [tableCells(row, 'one-hot'), tableCells(row, method)];
  const seeds = new Set(oneHot.map(({ seed }) => seed).filter((seed) => other.some((cell) => cell.seed === seed)));
  const [before, after] = [oneHot, other].map((cells) =>
    meanSoftConfusion(cells.filter(({ seed }) => seeds.has(seed))),
  );
  const counts = row.cells[0]?.trainingCounts;
  if (before === undefined || after === undefined || counts === undefined) return undefined;
  return { seeds: seeds.size, before: inPercent(before), after: inPercent(after), classes: rarestFirst(counts) };
}

function inPercent(matrix: readonly (readonly number[])[]): number[][] {
  return matrix.map((shares) => shares.map((share) => 100 * share));
}

function majorityAndMinority(title: string, row: ResultRow): Statement {
  const claim = `${title}: enhancement may cost the two largest classes a little, and improves the five rarest a lot (diagonal of the soft-confusion matrix).`;
  const pair = matricesOf(row, 'enhancement');
  if (pair === undefined) return notMeasured(claim);
  const { before, after, classes, seeds } = pair;
  const change = (some: readonly number[]) => mean(some.map((p) => at(at(after, p), p) - at(at(before, p), p)));
  const [largest, rarest] = [change(classes.slice(-2)), change(classes.slice(0, 5))];
  const isSmaller = rarest > Math.max(0, -largest);
  return {
    claim,
    measured:
      `Mean change of the probability of the right class: ${signed(largest)} points in the two largest classes, ${signed(rarest)} ` +
      `in the five rarest (${counted(seeds, 'seed')}). It agrees if the rarest gain more than the largest lose.`,
    verdict: rarest > 0 && !isSmaller ? 'partly' : allOf(isSmaller ? 1 : 0, 1, seeds >= PAPER_SEEDS),
  };
}

function massLost(title: string, row: ResultRow): Statement {
  const claim = `${title}: with cost-sensitiveness, the two rarest classes lose less to the two largest (bottom left corner of the soft-confusion matrix).`;
  const pair = matricesOf(row, 'cost-sensitiveness');
  if (pair === undefined) return notMeasured(claim);
  const { classes, seeds } = pair;
  const lost = (matrix: number[][]) =>
    mean(classes.slice(0, 2).map((p) => classes.slice(-2).reduce((sum, q) => sum + at(at(matrix, p), q), 0)));
  const [before, after] = [lost(pair.before), lost(pair.after)];
  return {
    claim,
    measured:
      'Probability, in per cent, that images of the two rarest classes give to the two largest: ' +
      `one-hot ${points(before)}, cost-sensitiveness ${points(after)} (${counted(seeds, 'seed')}).`,
    verdict: allOf(after < before ? 1 : 0, 1, seeds >= PAPER_SEEDS),
  };
}

function concentrated(title: string, { maps, seeds }: RowMaps): Statement {
  const claim = `${title}: with enhancement, test images with the same prediction are more concentrated (t-SNE).`;
  if (maps === undefined) {
    return { claim, measured: 'There are no run folders of these runs with test outputs.', verdict: 'not measured' };
  }
  const { 'one-hot': before, enhancement: after } = maps;
  const lower = [after.outputScatter < before.outputScatter, after.mapScatter < before.mapScatter];
  return {
    claim,
    measured:
      'Scatter within predictions, the squared distances from the mean of all images with the same prediction over those ' +
      `from the mean of all: ${before.outputScatter.toFixed(3)} → ${after.outputScatter.toFixed(3)} of the network’s outputs ` +
      `(${counted(seeds, 'seed')}), ${before.mapScatter.toFixed(3)} → ${after.mapScatter.toFixed(3)} on the map of the first (one-hot → enhancement).`,
    verdict: allOf(lower.filter(Boolean).length, lower.length, seeds >= PAPER_SEEDS),
  };
}

function notMeasured(claim: string): Statement {
  return { claim, measured: 'No seed has both methods.', verdict: 'not measured' };
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

import { comparePaired, type PairedComparison, sampleStatistics } from 'evenhand/evaluation';
import { counted } from 'evenhand/report';
import { at } from '../checked-access.js';
import { holmCorrected } from '../holm.js';
import { points } from '../numbers.js';
import type { PaperMethod } from '../tables/tables.js';
import { rarestFirst } from './chart-classes.js';
import { isPartial } from './missing.js';
import { isIllustrated, type RowMaps } from './output-maps.js';
import { type ResultRow, type ResultTable, tableCells } from './results.js';
import { type Statement, verdictOnAll } from './statement.js';
import { differenceText, type Outcome, outcomeOf } from './tested-comparisons.js';
import { rowTitle, tableTitle } from './titles.js';

/** A statement whose p is not corrected yet. */
interface Finding {
  readonly claim: string;
  readonly measured: string;
  /** What should be above 0; null where nothing was measured. */
  readonly gain: PairedComparison | null;
  /** Whether it is as large as the paper says; if not, it does not count as ahead. */
  readonly isLarge: boolean;
}

/** What the paper's text says about its soft-confusion matrices and its t-SNE: both are of CIFAR-10-LT alone. */
export function figureStatements(tables: readonly ResultTable[], maps: readonly RowMaps[]): Statement[] {
  return tables.flatMap((table) =>
    table.rows.filter(isInThePaper).flatMap((row) => {
      const title = `${tableTitle(table)}, ${rowTitle(row)}`;
      const own = maps.filter((map) => map.row === row);
      const findings = [
        majorityAndMinority(title, row),
        massLost(title, row),
        ...own.map((map) => concentrated(title, map)),
      ];
      const corrected = holmCorrected(findings.map(({ gain }) => gain?.tTest.value ?? null));
      return findings.map(({ claim, measured, gain, isLarge }, i): Statement => {
        const outcome = gain === null ? undefined : outcomeOf({ gain, corrected: at(corrected, i) });
        const outcomes: Outcome[] =
          outcome === undefined ? [] : [outcome === 'ahead' && !isLarge ? 'cannot tell' : outcome];
        return { claim, measured, verdict: verdictOnAll(outcomes, isPartial(table)) };
      });
    }),
  );
}

function isInThePaper(row: ResultRow): boolean {
  return isIllustrated(row) && row.setting.name === 'cifar10-lt';
}

/** A soft-confusion matrix, row-normalised and in per cent. */
type Matrix = readonly (readonly number[])[];

/** The matrices of one-hot and of another method, seed by seed. */
interface MatrixPairs {
  readonly before: readonly Matrix[];
  readonly after: readonly Matrix[];
  /** Classes from the rarest to the largest. */
  readonly classes: readonly number[];
}

/** Undefined where no seed has both. */
function matricesOf(row: ResultRow, method: PaperMethod): MatrixPairs | undefined {
  const other = tableCells(row, method);
  const pairs = tableCells(row, 'one-hot').flatMap(({ seed, softConfusion: before, trainingCounts }) => {
    const after = other.find((cell) => cell.seed === seed)?.softConfusion ?? null;
    return before === null || after === null ? [] : [{ before, after, trainingCounts }];
  });
  const counts = pairs[0]?.trainingCounts;
  if (counts === undefined) return undefined;
  return {
    before: pairs.map(({ before }) => inPercent(before)),
    after: pairs.map(({ after }) => inPercent(after)),
    classes: rarestFirst(counts),
  };
}

function inPercent(matrix: Matrix): Matrix {
  return matrix.map((shares) => shares.map((share) => 100 * share));
}

/** A number of every seed's matrix, compared. */
function compareMatrices({ before, after }: MatrixPairs, measure: (matrix: Matrix) => number): PairedComparison {
  return comparePaired(after.map(measure), before.map(measure));
}

function majorityAndMinority(title: string, row: ResultRow): Finding {
  const claim = `${title}: enhancement may cost the two largest classes a little, and improves the five rarest a lot (diagonal of the soft-confusion matrix).`;
  const pairs = matricesOf(row, 'enhancement');
  if (pairs === undefined) return notMeasured(claim);
  const { classes } = pairs;
  const diagonal = (some: readonly number[]) => (matrix: Matrix) => mean(some.map((p) => at(at(matrix, p), p)));
  const largest = compareMatrices(pairs, diagonal(classes.slice(-2)));
  const rarest = compareMatrices(pairs, diagonal(classes.slice(0, 5)));
  return {
    claim,
    measured:
      `Mean change of the probability of the right class, in percentage points: ${differenceText(largest)} in the two largest classes, ` +
      `${differenceText(rarest)} in the five rarest (${counted(rarest.pairs, 'seed')}). It agrees if the rarest surely gain, and more than the largest lose.`,
    gain: rarest,
    isLarge: rarest.meanDifference > -largest.meanDifference,
  };
}

function massLost(title: string, row: ResultRow): Finding {
  const claim = `${title}: with cost-sensitiveness, the two rarest classes lose less to the two largest (bottom left corner of the soft-confusion matrix).`;
  const pairs = matricesOf(row, 'cost-sensitiveness');
  if (pairs === undefined) return notMeasured(claim);
  const { classes } = pairs;
  const lost = (matrix: Matrix) =>
    mean(classes.slice(0, 2).map((p) => classes.slice(-2).reduce((sum, q) => sum + at(at(matrix, p), q), 0)));
  const saved = compareMatrices(pairs, (matrix) => -lost(matrix));
  return {
    claim,
    measured:
      'Probability, in per cent, that images of the two rarest classes give to the two largest: ' +
      `one-hot ${points(mean(pairs.before.map(lost)))}, cost-sensitiveness ${points(mean(pairs.after.map(lost)))}; less by ` +
      `${differenceText(saved)} (${counted(saved.pairs, 'seed')}).`,
    gain: saved,
    isLarge: true,
  };
}

function concentrated(title: string, { maps }: RowMaps): Finding {
  const claim = `${title}: with enhancement, test images with the same prediction are more concentrated (t-SNE).`;
  if (maps === undefined) {
    return { ...notMeasured(claim), measured: 'There are no run folders of these runs with test outputs.' };
  }
  const { 'one-hot': before, enhancement: after } = maps;
  const less = comparePaired(before.outputScatters, after.outputScatters);
  const [scatterBefore, scatterAfter] = [before, after].map(({ outputScatters }) => mean(outputScatters).toFixed(3));
  return {
    claim,
    measured:
      'Scatter within predictions, the squared distances from the mean of all images with the same prediction over those ' +
      `from the mean of all: ${scatterBefore} → ${scatterAfter} of the network’s outputs ` +
      `(${counted(less.pairs, 'seed')}), ${before.mapScatter.toFixed(3)} → ${after.mapScatter.toFixed(3)} on the map of the first (one-hot → enhancement).`,
    gain: less,
    isLarge: after.mapScatter < before.mapScatter,
  };
}

function notMeasured(claim: string): Finding {
  return { claim, measured: 'No seed has both methods.', gain: null, isLarge: false };
}

function mean(values: readonly number[]): number {
  return sampleStatistics(values).mean;
}

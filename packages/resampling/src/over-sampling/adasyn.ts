import type { Labels, Values } from '../arrays.js';
import { checkData, checkInteger, checkSeed, neighboursInClass } from '../check-arguments.js';
import { allRows, type LabelledRows, rowsOfClass } from '../labelled-rows.js';
import { neighboursAmong } from '../neighbours/nearest-neighbours.js';
import { seededRandom } from '../random.js';
import { type Resampled, withSynthetic } from '../resampled.js';
import { resolveStrategy } from '../strategy.js';
import { drawFromBases, drawSegments } from './segments.js';
import type { SmoteOptions } from './smote.js';

/**
 * ADASYN (He et al. 2008): as SMOTE, but a row gets new rows in proportion to how many of its neighbours belong to other classes. Numbers
 * are rounded row by row, so that the sum may differ a little from what the strategy asks for.
 */
export function adasyn(features: Values, labels: Labels, options: SmoteOptions): Resampled {
  const operation = 'adasyn';
  const { seed, strategy, neighbours = 5, lenient = false } = options;
  const data = checkData(features, labels, operation);
  checkSeed(seed, operation);
  checkInteger(neighbours, 1, 'neighbours', operation);
  const targets = resolveStrategy(strategy, data.counts, 'over-sampling', operation).filter(({ rows }) => rows > 0);
  const random = seededRandom(seed);
  const made = targets.map(({ label, rows: count }) => {
    const rows = rowsOfClass(data.labels, label);
    const own = neighboursInClass(rows.length, { neighbours, lenient }, label, operation);
    const shares = rowShares(data, label, rows, Math.min(neighbours, data.labels.length - 1), count);
    const total = shares.reduce((sum, share) => sum + share, 0);
    if (total === 0) {
      if (lenient) return { label, ...drawSegments(rows, neighboursAmong(data, rows, rows, own), count, random) };
      throw new RangeError(
        `${operation}: no row of class ${label} would get a new one: of none are enough of the ${neighbours} nearest neighbours of ` +
          'another class; expected classes that touch. Use smote instead, or leave the class out of the strategy',
      );
    }
    const bases = new Int32Array(total);
    let place = 0;
    shares.forEach((share, row) => {
      bases.fill(row, place, place + share);
      place += share;
    });
    return { label, ...drawFromBases(rows, neighboursAmong(data, rows, rows, own), bases, random) };
  });
  return withSynthetic(allRows(data.labels.length), data.labels, made);
}

/** How many new rows each row of a class gets. */
function rowShares(data: LabelledRows, label: number, rows: Int32Array, neighbours: number, count: number): Int32Array {
  const { ids } = neighboursAmong(data, allRows(data.labels.length), rows, neighbours);
  const ratios = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    let others = 0;
    for (let j = 0; j < neighbours; j++) if (data.labels[ids[i * neighbours + j] ?? 0] !== label) others++;
    ratios[i] = others / neighbours;
  }
  const sum = ratios.reduce((total, ratio) => total + ratio, 0);
  return Int32Array.from(ratios, (ratio) => (sum === 0 ? 0 : roundHalfToEven((ratio / sum) * count)));
}

function roundHalfToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}

import type { Labels, Values } from '../arrays.js';
import {
  checkChoice,
  checkData,
  checkEnoughRows,
  checkInteger,
  checkSeed,
  neighboursInClass,
} from '../check-arguments.js';
import { allRows, type LabelledRows, rowsOfClass, rowsWhere } from '../labelled-rows.js';
import { neighboursAmong } from '../neighbours/nearest-neighbours.js';
import { type Random, randomSymmetricBeta, seededRandom } from '../random.js';
import { type Resampled, withSynthetic } from '../resampled.js';
import { resolveStrategy } from '../strategy.js';
import { drawSegments, type Segments } from './segments.js';
import type { SmoteOptions } from './smote.js';

/** Options of {@link borderlineSmote}. */
export interface BorderlineSmoteOptions extends SmoteOptions {
  /** How many nearest rows of all classes tell whether a row is at the border; 10 unless given. */
  readonly borderNeighbours?: number;
  /** 1 joins rows at the border with their own class; 2 also with other classes, less than half of the way. 1 unless given. */
  readonly variant?: 1 | 2;
}

/** Of variant 2's rows a share that is drawn from Beta(10, 10), about a half, lies towards the own class. */
const SHARE_SHAPE = 10;

/**
 * Borderline-SMOTE (Han et al. 2005): SMOTE from the rows at the border of a class only, those of whose neighbours at least half, but not
 * all, belong to other classes. A class without such rows stays as it is.
 */
export function borderlineSmote(features: Values, labels: Labels, options: BorderlineSmoteOptions): Resampled {
  const operation = 'borderlineSmote';
  const { seed, strategy, neighbours = 5, variant = 1, lenient = false } = options;
  const { borderNeighbours: asked = 10 } = options;
  const data = checkData(features, labels, operation);
  checkSeed(seed, operation);
  checkInteger(neighbours, 1, 'neighbours', operation);
  checkInteger(asked, 1, 'borderNeighbours', operation);
  checkChoice(variant, [1, 2], 'variant', operation);
  if (!lenient) checkEnoughRows(data.labels.length, asked, 'the data', operation, 'borderNeighbours');
  const borderNeighbours = Math.min(asked, data.labels.length - 1);
  const targets = resolveStrategy(strategy, data.counts, 'over-sampling', operation).filter(({ rows }) => rows > 0);
  const random = seededRandom(seed);
  const made = targets.flatMap(({ label, rows: count }) => {
    const border = borderRows(data, label, borderNeighbours);
    if (border.length === 0) return [];
    const own = rowsOfClass(data.labels, label);
    const k = neighboursInClass(own.length, { neighbours, lenient }, label, operation);
    const inwards = (some: number) => drawSegments(border, neighboursAmong(data, own, border, k), some, random);
    if (variant === 1) return { label, ...inwards(count) };
    const share = Math.round(randomSymmetricBeta(random, SHARE_SHAPE) * count);
    return [inwards(share), outwards(data, label, border, neighbours, count - share, random)].map((segments) => ({
      label,
      ...segments,
    }));
  });
  return withSynthetic(allRows(data.labels.length), data.labels, made);
}

/** The rows of a class of whose m neighbours m/2 or more belong to other classes, but not all: those would be noise. */
export function borderRows(data: LabelledRows, label: number, m: number): Int32Array {
  const own = rowsOfClass(data.labels, label);
  const { ids } = neighboursAmong(data, allRows(data.labels.length), own, m);
  return own.filter((_, i) => {
    let others = 0;
    for (let j = 0; j < m; j++) if (data.labels[ids[i * m + j] ?? 0] !== label) others++;
    return others >= m / 2 && others < m;
  });
}

/** From the border towards the nearest rows of other classes, less than half of the way. */
function outwards(
  data: LabelledRows,
  label: number,
  border: Int32Array,
  neighbours: number,
  count: number,
  random: Random,
): Segments {
  const others = rowsWhere(data.labels.length, (row) => data.labels[row] !== label);
  const k = Math.min(neighbours, others.length);
  return drawSegments(border, neighboursAmong(data, others, border, k), count, random, 0.5);
}

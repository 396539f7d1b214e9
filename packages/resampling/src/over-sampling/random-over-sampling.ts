import type { Labels, Values } from '../arrays.js';
import { checkData, checkNumber, checkSeed } from '../check-arguments.js';
import { outside } from '../checked-access.js';
import { allRows, type LabelledRows, rowsOfClass } from '../labelled-rows.js';
import { type Random, randomInteger, randomNormal, seededRandom } from '../random.js';
import { evenOffsets, type Resampled, selection, withSynthetic } from '../resampled.js';
import { resolveStrategy } from '../strategy.js';
import type { OverSamplingOptions } from './smote.js';
import { standardDeviations } from './spread.js';

/** Options of {@link randomOverSampling}. */
export interface RandomOverSamplingOptions extends OverSamplingOptions {
  /**
   * How far copies are scattered around their originals, as a multiple of the bandwidth that suits normal data: a smoothed bootstrap, ROSE
   * (Menardi and Torelli 2014). Copies are exact unless it is given. One number for all classes, or one per class.
   */
  readonly shrinkage?: number | Readonly<Record<number, number>>;
}

/** Random over-sampling: rows of the smaller classes are drawn with replacement and repeated, or scattered with `shrinkage`. */
export function randomOverSampling(features: Values, labels: Labels, options: RandomOverSamplingOptions): Resampled {
  const operation = 'randomOverSampling';
  const { seed, strategy, shrinkage } = options;
  const data = checkData(features, labels, operation, { anyNumbers: shrinkage === undefined });
  checkSeed(seed, operation);
  const targets = resolveStrategy(strategy, data.counts, 'over-sampling', operation);
  const random = seededRandom(seed);
  const drawn = targets.map(({ label, rows: count }) => {
    const factor = typeof shrinkage === 'object' ? shrinkage[label] : shrinkage;
    if (shrinkage !== undefined) checkNumber(factor, 0, `shrinkage of class ${label}`, operation);
    const rows = rowsOfClass(data.labels, label);
    const copies = new Int32Array(count).map(() => rows[randomInteger(random, rows.length)] ?? outside(rows, 0));
    return { label, rows, copies, factor };
  });
  const originals = allRows(data.labels.length);
  if (shrinkage === undefined) {
    const rows = Int32Array.from([originals, ...drawn.map(({ copies }) => copies)].flatMap((list) => [...list]));
    return selection(rows, data.labels);
  }
  const made = drawn.map(({ label, rows, copies, factor = 0 }) => ({
    label,
    parents: copies,
    weights: new Float64Array(copies.length).fill(1),
    offsets: evenOffsets(copies.length, 1),
    noise: drawNoise(data, rows, copies.length, factor, random),
  }));
  return withSynthetic(originals, data.labels, made);
}

/**
 * Normal noise with `shrinkage · h · σⱼ` for column j, σ of the class and Silverman's `h = (4 / ((d + 2)·n))^(1/(d + 4))` for d columns and
 * the n rows of all classes.
 */
function drawNoise(
  data: LabelledRows,
  rows: Int32Array,
  count: number,
  shrinkage: number,
  random: Random,
): Float64Array {
  const { columns, labels } = data;
  const bandwidth = (4 / ((columns + 2) * labels.length)) ** (1 / (columns + 4));
  const scales = standardDeviations(data, rows).map((sigma) => shrinkage * bandwidth * sigma);
  const noise = new Float64Array(count * columns);
  for (let i = 0; i < noise.length; i++) noise[i] = (scales[i % columns] ?? 0) * randomNormal(random);
  return noise;
}

import type { Values } from './arrays.js';
import { checkClasses, checkFinite, checkSquare } from './check-arguments.js';
import { at } from './checked-access.js';
import type { RateValue } from './rates/rate.js';
import { checkRateValue, ratesByClass } from './rates/rate-of-epoch.js';

/**
 * Which part of the generator matrix encodes: all of it, only its diagonal (heavier classes, no costs), or only what is off
 * it (costs, all classes equally heavy). The last two are the paper's ablations.
 */
export type EncodingPart = 'full' | 're-weighting' | 'cost-sensitiveness';

export const ENCODING_PARTS: readonly EncodingPart[] = ['full', 're-weighting', 'cost-sensitiveness'];

export interface GeneratorUpdate {
  /** ε ≥ 0: how strongly measured confusion changes the labels. 0 is one-hot training. One number, or one per class. */
  readonly enhancementRate: RateValue;
  /** μ from 0 to 1: how much of the new measurement enters; the rest stays. One number, or one per class. */
  readonly updatingRate: RateValue;
  /** @defaultValue `'full'` */
  readonly part?: EncodingPart;
}

/** The generator matrix to start from: one-hot labels. */
export function identityMatrix(classes: number): Float64Array {
  checkClasses(classes);
  const identity = new Float64Array(classes * classes);
  for (let p = 0; p < classes; p++) identity[p * classes + p] = 1;
  return identity;
}

/**
 * One step of the recursion `G = (1−μ)·G* + μ·(I − ε·C)`. With a rate per class, row p has that of class p.
 *
 * Rows of `cost` that are NaN, "not measured", leave their row of G as it was. With the full method every row of G sums
 * to 1, the diagonal is at least 1 and the rest at most 0.
 *
 * @param previous - G*, the matrix before
 * @param cost - C, from {@link costMatrix}
 * @returns a new matrix
 */
export function updateGeneratorMatrix(previous: Values, cost: Values, update: GeneratorUpdate): Float64Array {
  const classes = checkSquare(previous, 'previous');
  checkFinite(previous, classes, classes, 'previous');
  checkCost(cost, classes);
  const { enhancementRate, updatingRate, part = 'full' } = update;
  checkRateValue(enhancementRate, classes, 'enhancementRate');
  checkRateValue(updatingRate, classes, 'updatingRate');
  checkPart(part);
  const enhancementRates = ratesByClass(enhancementRate, classes);
  const updatingRates = ratesByClass(updatingRate, classes);

  return Float64Array.from(previous).map((before, i) => {
    const onDiagonal = i % (classes + 1) === 0;
    if (part === 're-weighting' && !onDiagonal) return 0;
    if (part === 'cost-sensitiveness' && onDiagonal) return 1;
    const c = at(cost, i);
    if (Number.isNaN(c)) return before;
    const p = Math.floor(i / classes);
    const target = (onDiagonal ? 1 : 0) - at(enhancementRates, p) * c;
    const updating = at(updatingRates, p);
    // before + μ·(target − before) and not (1−μ)·before + μ·target: where both are 1 the result is exactly 1.
    return updating === 1 ? target : before + updating * (target - before);
  });
}

function checkCost(cost: Values, classes: number): void {
  if (checkSquare(cost, 'cost') !== classes) {
    throw new RangeError(`cost has length ${cost.length}; expected ${classes} × ${classes} as previous has`);
  }
  for (let i = 0; i < cost.length; i++) {
    const measured = !Number.isNaN(cost[i - (i % classes)]);
    if (measured ? !Number.isFinite(cost[i]) : !Number.isNaN(cost[i])) {
      throw new RangeError(
        `cost[${i}] is ${String(cost[i])}; expected rows of finite numbers, or of NaN alone for a class that was not measured`,
      );
    }
  }
}

/** One of {@link ENCODING_PARTS}. */
export function checkPart(part: EncodingPart): void {
  if (!ENCODING_PARTS.includes(part)) {
    throw new RangeError(`part is ${JSON.stringify(part)}; expected one of ${ENCODING_PARTS.join(', ')}`);
  }
}

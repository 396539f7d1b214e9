import { classCounts, type Values } from '@evenhand/encoding';
import { at, float64At, int32At } from '../checked-access.js';

/** What the rows stand for that something is fitted to. */
export interface FittingOptions {
  /** One per row: how many rows of the data that is met later it stands for. @defaultValue 1 for each */
  readonly weights?: Values;
  /** The same with one number per class, instead of `weights`; rows drawn class by class have n_p / (drawn rows of p). */
  readonly classWeights?: Values;
  /** How many rows of each class the fit may rely on. @defaultValue those that there are */
  readonly counts?: Values;
  /** How frequent each class is in the data that is met later, in any unit. @defaultValue the weights of its rows */
  readonly prior?: Values;
}

/** Rows with their labels and weights, ready for a fit. */
export interface FittingRows {
  readonly classes: number;
  readonly labels: Int32Array;
  /** One per row; they sum to 1. */
  readonly weights: Float64Array;
  /** The weights of each class together. */
  readonly shares: Float64Array;
  /** Rows of each class to rely on. */
  readonly counts: Float64Array;
  /** Frequencies of the classes, summing to 1; none is 0. */
  readonly prior: Float64Array;
}

/** Checks the options of a fit and fills in what is left out. */
export function fittingRows(labels: Int32Array, classes: number, options: FittingOptions): FittingRows {
  const { classWeights, weights: rowWeights, prior: given } = options;
  if (rowWeights !== undefined && classWeights !== undefined) {
    throw new RangeError('weights and classWeights are both given; expected one of them');
  }
  if (rowWeights !== undefined) checkAmounts('weights', rowWeights, labels.length);
  if (classWeights !== undefined) checkAmounts('classWeights', classWeights, classes);
  if (options.counts !== undefined) checkAmounts('counts', options.counts, classes);
  if (given !== undefined) checkAmounts('prior', given, classes);
  const raw = Float64Array.from(labels, (label, i) =>
    classWeights === undefined ? (rowWeights === undefined ? 1 : at(rowWeights, i)) : at(classWeights, label),
  );
  const total = raw.reduce((sum, weight) => sum + weight, 0);
  if (!(total > 0)) throw new RangeError('the weights of the rows sum to 0; expected at least one row with a weight');
  const weights = raw.map((weight) => weight / total);
  const shares = sharesOf(labels, weights, classes);
  return {
    classes,
    labels,
    weights,
    shares,
    counts: Float64Array.from(options.counts ?? classCounts(labels, classes)),
    prior: positive(given === undefined ? shares : Float64Array.from(given)),
  };
}

/** The same rows with weights by which all classes together weigh alike. */
export function balanced(rows: FittingRows): FittingRows {
  const present = rows.shares.reduce((sum, share) => sum + (share > 0 ? 1 : 0), 0);
  const weights = rows.weights.map((weight, i) => {
    const share = float64At(rows.shares, int32At(rows.labels, i));
    return share === 0 ? 0 : weight / share / present;
  });
  return { ...rows, weights, shares: rows.shares.map((share) => (share > 0 ? 1 / present : 0)) };
}

function sharesOf(labels: Int32Array, weights: Float64Array, classes: number): Float64Array {
  const shares = new Float64Array(classes);
  for (const [i, label] of labels.entries()) shares[label] = float64At(shares, label) + float64At(weights, i);
  return shares;
}

/** Frequencies that sum to 1; a class that was never met is half as frequent as the rarest that was. */
function positive(amounts: Float64Array): Float64Array {
  const rarest = amounts.reduce(
    (least, amount) => (amount > 0 ? Math.min(least, amount) : least),
    Number.POSITIVE_INFINITY,
  );
  const filled = amounts.map((amount) => (amount > 0 ? amount : rarest / 2));
  const total = filled.reduce((sum, amount) => sum + amount, 0);
  return filled.map((amount) => amount / total);
}

function checkAmounts(name: string, values: Values, length: number): void {
  if (values.length !== length) throw new RangeError(`${name} has ${values.length} numbers; expected ${length}`);
  for (let i = 0; i < length; i++) {
    const value = at(values, i);
    if (!(value >= 0 && Number.isFinite(value)))
      throw new RangeError(`${name}[${i}] is ${value}; expected a number from 0`);
  }
}

import { classCounts, type Values } from '@evenhand/encoding';
import { at, float64At, int32At } from '../checked-access.js';

/** What the rows stand for that something is fitted to. */
export interface FittingOptions {
  /** One per row: how often it is met. @defaultValue 1 for each */
  readonly weights?: Values;
  /**
   * Of rows that were drawn class by class: how many rows of the data that is met later each row of a class stands for, n_p / (drawn
   * rows of p). @defaultValue 1 for each
   */
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
  /** What is known to be added to the logits of each class by the way in which the rows were drawn. */
  readonly offsets: Float64Array;
  /** Rows of each class to rely on. */
  readonly counts: Float64Array;
  /** Frequencies of the classes in the data that is met later, summing to 1; none is 0. */
  readonly prior: Float64Array;
}

/** Rows as they are met later, each with its weight and that of its class. Checks the options and fills in what is left out. */
export function naturalRows(labels: Int32Array, classes: number, options: FittingOptions): FittingRows {
  const { classWeights, weights: rowWeights, counts, prior } = options;
  if (rowWeights !== undefined) checkAmounts('weights', rowWeights, labels.length);
  if (classWeights !== undefined) checkAmounts('classWeights', classWeights, classes);
  if (counts !== undefined) checkAmounts('counts', counts, classes);
  if (prior !== undefined) checkAmounts('prior', prior, classes);
  const weights = normalised(
    Float64Array.from(
      labels,
      (label, i) =>
        (rowWeights === undefined ? 1 : at(rowWeights, i)) * (classWeights === undefined ? 1 : at(classWeights, label)),
    ),
  );
  const shares = sharesOf(labels, weights, classes);
  return {
    classes,
    labels,
    weights,
    shares,
    offsets: new Float64Array(classes),
    counts: Float64Array.from(counts ?? classCounts(labels, classes)),
    prior: positive(prior === undefined ? shares : Float64Array.from(prior)),
  };
}

/** What stands for the logarithm of 0: no row of such a class could have been drawn. */
const NEVER = -1000;

/**
 * Rows as they were drawn. That class p was drawn 1/w_p times as often as it is met adds −log w_p to its logit, and nothing else:
 * so a likelihood needs no weights, which would make a few rows of a frequent class decide everything (Prentice and Pyke 1979).
 */
export function drawnRows(labels: Int32Array, classes: number, options: FittingOptions): FittingRows {
  const natural = naturalRows(labels, classes, options);
  const { classWeights } = options;
  if (classWeights === undefined) return natural;
  const isThere = (p: number) => float64At(natural.shares, p) > 0;
  const weights = normalised(
    natural.weights.map((weight, i) => {
      const label = int32At(labels, i);
      return isThere(label) ? weight / at(classWeights, label) : 0;
    }),
  );
  const offsets = Float64Array.from(classWeights, (weight, p) => (isThere(p) ? -Math.log(weight) : NEVER));
  return { ...natural, weights, shares: sharesOf(labels, weights, classes), offsets };
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

function normalised(weights: Float64Array): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (!(total > 0)) throw new RangeError('the weights of the rows sum to 0; expected at least one row with a weight');
  return weights.map((weight) => weight / total);
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

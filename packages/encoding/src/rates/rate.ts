import type { Values } from '../arrays.js';

/** ε or μ of one epoch: one number for all classes, or one per class. */
export type RateValue = number | Values;

/** The rates of one epoch, as they were used. */
export interface EpochRates {
  readonly enhancementRate: number | readonly number[];
  readonly updatingRate: number | readonly number[];
}

/** What a rate that changes during training can look at. */
export interface RateContext {
  /** Epoch that is about to start, from 0. */
  readonly epoch: number;
  readonly classes: number;
  /** S' of the validation set, just measured; rows of classes that it lacks are NaN. */
  readonly normalisedSoftConfusion: Float64Array;
  /** G before this update. */
  readonly generatorMatrix: Float64Array;
  /** How many instances of each class were measured. */
  readonly observedCounts: Float64Array;
  /** Sample variance, within each class, of the probability of the true class; NaN for fewer than two instances. */
  readonly ownVariance: Float64Array;
  /** How far each class's measurement is to be believed, from 0 to 1: what `updatingRate: 'auto'` takes. 0 for classes without instances. */
  readonly gains: Float64Array;
  /** The rates of the update before; undefined in the first. */
  readonly previousRates: EpochRates | undefined;
}

/** A rate that looks at what was measured. */
export type RateFunction = (context: RateContext) => RateValue;

/** A constant, one number per class, a function of the epoch and of what was measured, or `'auto'`: no number to choose. */
export type Rate = RateValue | 'auto' | RateFunction;

export type RateName = 'enhancementRate' | 'updatingRate';

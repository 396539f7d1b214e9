import { at } from '../checked-access.js';
import { type Metric, metric } from './metric.js';

/** Instances whose confidence, the largest probability, lies in `(lower, upper]`. */
export interface CalibrationBin {
  readonly lower: number;
  readonly upper: number;
  readonly count: number;
  /** Mean confidence of the bin's instances. */
  readonly confidence: number;
  /** Share of them that is predicted correctly. */
  readonly accuracy: number;
}

/** The field's usual number of bins, all equally wide. */
const BINS = 15;

interface Bin {
  readonly lower: number;
  readonly upper: number;
  count: number;
  confidence: number;
  accuracy: number;
}

export function emptyBins(): Bin[] {
  return Array.from({ length: BINS }, (_, b) => ({
    lower: b / BINS,
    upper: (b + 1) / BINS,
    count: 0,
    confidence: 0,
    accuracy: 0,
  }));
}

/** Counts one instance in; confidences outside [0, 1], which are no probabilities, go to the outermost bins. */
export function addToBin(bins: readonly Bin[], confidence: number, right: boolean): void {
  const bin = bins.find(({ upper }) => confidence <= upper) ?? at(bins, bins.length - 1);
  bin.count++;
  bin.confidence += (confidence - bin.confidence) / bin.count;
  bin.accuracy += ((right ? 1 : 0) - bin.accuracy) / bin.count;
}

/** ECE: the gap between confidence and accuracy, averaged over instances. */
export function expectedCalibrationError(bins: readonly CalibrationBin[], instances: number): Metric {
  return metric(bins.reduce((sum, bin) => sum + (bin.count / instances) * Math.abs(bin.accuracy - bin.confidence), 0));
}

/** MCE: the widest gap of any bin. */
export function maximumCalibrationError(bins: readonly CalibrationBin[]): Metric {
  return metric(bins.reduce((most, bin) => Math.max(most, Math.abs(bin.accuracy - bin.confidence)), 0));
}

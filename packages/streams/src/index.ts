/**
 * What is needed, apart from a learner, to learn from a stream: statistics that fade, evaluation of rows before they are learned from, detectors of change,
 * rows that are kept for replay, and labels that arrive late. Takes plain numbers, saves plain JSON, and runs in Node and browsers.
 *
 * @packageDocumentation
 */
export { Adwin, type AdwinJSON, type AdwinOptions } from './drift/adwin.js';
export type { DriftDetector } from './drift/detector.js';
export { PageHinkley, type PageHinkleyJSON, type PageHinkleyOptions } from './drift/page-hinkley.js';
export { type RecallChange, RecallDrift, type RecallDriftJSON } from './drift/recall-drift.js';
export {
  Prequential,
  type PrequentialJSON,
  type PrequentialMetrics,
  type PrequentialOptions,
} from './evaluation/prequential.js';
export { ClassStatistics, type ClassStatisticsJSON, type ClassStatisticsOptions } from './labels/class-statistics.js';
export { type LabelOutcome, PendingRows, type PendingRowsJSON } from './labels/pending-rows.js';
export { ClassReservoir, type ClassReservoirJSON } from './memory/class-reservoir.js';
export { randomAt } from './random.js';
export { DecayedMoments, type DecayedMomentsJSON } from './standardisation/decayed-moments.js';

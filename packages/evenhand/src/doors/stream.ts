/**
 * Learning from rows that keep arriving: `evenhand/stream`. Runs in Node, in browsers and in their workers.
 *
 * @packageDocumentation
 */
export { Prequential, type PrequentialMetrics } from '@evenhand/streams';
export {
  type LearnerSetting,
  type StreamEvent,
  StreamLearner,
  type StreamOutcome,
} from '../stream/learner/stream-learner.js';
export type { StreamMetrics } from '../stream/learner/stream-metrics.js';
export { DRIFT_DETECTORS, STREAM_METHODS, type StreamOptions, type StreamOptionsInput } from '../stream/options.js';
export { type ColumnRoles, columnsOfStream, type StreamColumn, type StreamRow } from '../stream/rows/stream-column.js';
export { UserError, type UserErrorDetails } from '../user-error.js';

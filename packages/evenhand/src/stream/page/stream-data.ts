import type { SavedStream } from '../folder/read-stream.js';
import type { LoggedMetrics, StreamLogEntry } from '../folder/stream-log.js';

/** What a page tells of a stream. */
export interface StreamData extends SavedStream {
  readonly name: string;
  /** Metrics over time. */
  readonly measured: readonly LoggedMetrics[];
  readonly changes: readonly Extract<StreamLogEntry, { kind: 'drift' }>[];
  /** Of each class, the row that it appeared in. */
  readonly appeared: ReadonlyMap<string, number>;
  /** Lines of the source that could not be read. */
  readonly damaged: number;
}

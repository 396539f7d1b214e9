import { join } from 'node:path';
import { readWholeFile } from '../../files/read-file.js';
import { readLearner } from '../learner/learner-state.js';
import { type StreamMetrics, streamMetrics } from '../learner/stream-metrics.js';
import type { StreamOptions } from '../options.js';
import type { StreamColumn } from '../rows/stream-column.js';
import { STREAM_FILES, STREAM_TEXTS } from './stream-files.js';

/** A stream as its last checkpoint has it. */
export interface SavedStream {
  readonly options: StreamOptions;
  readonly columns: readonly StreamColumn[];
  readonly metrics: StreamMetrics;
  /** Records that were taken, damaged ones with them. */
  readonly records: number;
  /** Of the record that was taken last; null before the first. */
  readonly position: string | null;
}

/**
 * Looks at a stream, which another process may follow meanwhile.
 *
 * @throws {@link UserError} if there is none, or it cannot be read
 */
export async function readStream(folder: string): Promise<SavedStream> {
  const { options, parts, texts } = readLearner(await readWholeFile(join(folder, STREAM_FILES.state)));
  return {
    options,
    columns: parts.features.columns,
    metrics: streamMetrics(parts),
    records: Number(texts.get(STREAM_TEXTS.records) ?? 0),
    position: texts.get(STREAM_TEXTS.position) ?? null,
  };
}

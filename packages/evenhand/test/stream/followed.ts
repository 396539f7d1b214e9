import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { followStream } from '../../src/stream/folder/follow-stream.js';
import { textSource } from '../../src/stream/sources/text-source.js';

/** Adds rows to a file of JSON lines. */
export function writeRows(path: string, rows: readonly object[]): Promise<void> {
  return appendFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

/**
 * Learns from a file in this process, with metrics every 100 rows, into `streams/<name>`.
 *
 * @param signal - if there is one, the file is followed until it says so
 */
export function follow(folder: string, file: string, name: string, signal?: AbortSignal) {
  return followStream({
    folder: join(folder, 'streams', name),
    source: textSource(join(folder, file), { target: 'class', follow: signal !== undefined, replayed: false }),
    options: { target: 'class' },
    roles: { ignore: [], kinds: {} },
    sample: 100,
    checkpointEvery: 1000,
    logEvery: 100,
    signal: signal ?? new AbortController().signal,
    onNote: () => undefined,
    onProgress: () => undefined,
  });
}

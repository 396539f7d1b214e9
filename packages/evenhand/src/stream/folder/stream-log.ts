import { join } from 'node:path';
import { z } from 'zod';
import { readError } from '../../files/file-error.js';
import { openFile } from '../../files/read-file.js';
import { UserError } from '../../user-error.js';
import { describeIssue, faultsOf } from '../../wording/schema-faults.js';
import { STREAM_FILES } from './stream-files.js';

const share = z.number().nullable();
const scores = z.object({
  rows: z.number(),
  recall: z.array(share),
  balancedAccuracy: share,
  gMean: share,
  accuracy: share,
  kappa: share,
});

const entrySchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('metrics'),
    records: z.number(),
    rows: z.number(),
    labelled: z.number(),
    waiting: z.number(),
    changes: z.number(),
    classes: z.array(z.string()),
    recentRows: z.array(z.number()),
    faded: scores,
    windowed: scores,
  }),
  z.object({ kind: z.literal('class'), row: z.number(), class: z.string() }),
  z.object({ kind: z.literal('drift'), row: z.number(), class: z.string().exactOptional(), level: z.number() }),
  z.object({ kind: z.literal('damaged'), after: z.number(), name: z.string(), damage: z.string() }),
]);

/** A line of the log of a stream. */
export type StreamLogEntry = z.output<typeof entrySchema>;
/** One with metrics. */
export type LoggedMetrics = Extract<StreamLogEntry, { kind: 'metrics' }>;

/** A line, and where it ends. */
export interface LoggedLine {
  readonly entry: StreamLogEntry;
  /** Bytes of the log up to its end. */
  readonly end: number;
}

const NEWLINE = 0x0a;
/** Bytes at the end of a log in which its last metrics are looked for. */
const TAIL = 1_000_000;

/**
 * The whole lines of a log; none if there is no log. What a killed process wrote behind its checkpoint is written again to the same bytes,
 * so that a place in the log keeps its meaning.
 *
 * @param from - the end of a line that is known already; the beginning if the log is shorter
 * @throws {@link UserError} that names a line which cannot be read
 */
export async function readStreamLog(folder: string, from = 0): Promise<LoggedLine[]> {
  const path = join(folder, STREAM_FILES.log);
  const { bytes, start } = await readFrom(path, (size) => (from > size ? 0 : from));
  const lines: LoggedLine[] = [];
  let begin = 0;
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, begin)) {
    lines.push({ entry: entryOf(bytes.toString('utf8', begin, end), path, start + begin), end: start + end + 1 });
    begin = end + 1;
  }
  return lines;
}

/** The last metrics of a log; undefined if it has none near its end. */
export async function lastLoggedMetrics(folder: string): Promise<LoggedMetrics | undefined> {
  const path = join(folder, STREAM_FILES.log);
  const { bytes, start } = await readFrom(path, (size) => Math.max(0, size - TAIL));
  const lines = bytes.toString('utf8').split('\n');
  lines.pop(); // what is behind the last newline is not whole yet
  if (start > 0) lines.shift(); // nor is what was cut
  for (const line of lines.reverse()) {
    const entry = entryOf(line, path, start);
    if (entry.kind === 'metrics') return entry;
  }
  return undefined;
}

async function readFrom(
  path: string,
  startOf: (size: number) => number,
): Promise<{ readonly bytes: Buffer; readonly start: number }> {
  try {
    const file = await openFile(path);
    try {
      const { size } = await file.stat();
      const start = startOf(size);
      const bytes = Buffer.alloc(size - start);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
      return { bytes: bytes.subarray(0, bytesRead), start };
    } finally {
      await file.close();
    }
  } catch (error) {
    throw readError(path, error);
  }
}

function entryOf(line: string, path: string, place: number): StreamLogEntry {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    throw new UserError(`${path}: the line at byte ${place} is not JSON; the file is damaged. Restore it`);
  }
  const result = entrySchema.safeParse(json, { error: describeIssue });
  if (result.success) return result.data;
  throw new UserError(
    `${path}: the line at byte ${place} is not what this version of evenhand writes: ${faultsOf(result.error, json)[0]}`,
  );
}

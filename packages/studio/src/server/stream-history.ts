import type { StreamLine, StreamMetricsLine } from 'evenhand/studio';
import { useLines } from './use-lines.js';

type LineOf<Kind extends StreamLine['kind']> = Extract<StreamLine, { kind: Kind }>;

/** What has happened in a stream so far. */
export interface StreamHistory {
  readonly metrics: readonly StreamMetricsLine[];
  readonly drifts: readonly LineOf<'drift'>[];
  /** Classes, each with the row that it appeared in. */
  readonly classes: readonly LineOf<'class'>[];
  readonly damaged: readonly LineOf<'damaged'>[];
}

/** Before the first line. */
export const NO_HISTORY: StreamHistory = { metrics: [], drifts: [], classes: [], damaged: [] };

/** A stream that goes on from an earlier checkpoint says things again: what is said again counts once. */
export function withStreamLines(before: StreamHistory, added: readonly StreamLine[]): StreamHistory {
  const metrics = [...before.metrics];
  const [drifts, classes, damaged] = [
    new Map(before.drifts.map((one) => [`${one.row} ${one.class ?? ''}`, one])),
    new Map(before.classes.map((one) => [one.class, one])),
    new Map(before.damaged.map((one) => [`${one.after} ${one.name}`, one])),
  ];
  for (const line of added) {
    if (line.kind === 'metrics') {
      while ((metrics.at(-1)?.rows ?? -1) >= line.rows) metrics.pop();
      metrics.push(line);
    } else if (line.kind === 'drift') drifts.set(`${line.row} ${line.class ?? ''}`, line);
    else if (line.kind === 'class') classes.set(line.class, line);
    else damaged.set(`${line.after} ${line.name}`, line);
  }
  return { metrics, drifts: [...drifts.values()], classes: [...classes.values()], damaged: [...damaged.values()] };
}

/** What has happened in a stream, and what happens. */
export function useStreamHistory(id: string): StreamHistory {
  return useLines('stream', id, NO_HISTORY, (before, events) =>
    withStreamLines(
      before,
      events.flatMap((shown) => (shown.kind === 'stream' ? [shown.event] : [])),
    ),
  );
}

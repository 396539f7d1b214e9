import type { EpochEvent, EpochLine } from 'evenhand/studio';

/** The lines of a run, by the member that they are of; the run's own under ''. */
export type EpochLines = ReadonlyMap<string, readonly EpochLine[]>;

/** A run that goes on from an earlier checkpoint does epochs again: the later line counts. */
export function withLines(before: EpochLines, added: readonly EpochEvent[]): EpochLines {
  const next = new Map(before);
  for (const { member, line } of added) {
    const own = next.get(member ?? '') ?? [];
    const last = own.at(-1);
    const kept = last === undefined || last.epoch < line.epoch ? own : own.filter(({ epoch }) => epoch < line.epoch);
    next.set(member ?? '', [...kept, line]);
  }
  return next;
}

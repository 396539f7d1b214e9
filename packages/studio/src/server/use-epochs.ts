import type { EpochEvent, EpochLine } from 'evenhand/studio';
import { useEffect, useState } from 'preact/hooks';
import { listen } from './run-store.js';

/** The lines of a run, by the member that they are of; the run's own under ''. */
export type EpochLines = ReadonlyMap<string, readonly EpochLine[]>;

/** The epochs of a run so far, and those that come. */
export function useEpochs(id: string): EpochLines {
  const [lines, setLines] = useState<EpochLines>(new Map());
  useEffect(() => {
    // Many lines come at once when a page opens: they are drawn together.
    let waiting: EpochEvent[] = [];
    let frame = 0;
    const draw = () => {
      const added = waiting;
      waiting = [];
      frame = 0;
      setLines((before) => withLines(before, added));
    };
    const stop = listen(id, (event) => {
      waiting.push(event);
      if (frame === 0) frame = requestAnimationFrame(draw);
    });
    return () => {
      stop();
      cancelAnimationFrame(frame);
      listen(undefined);
    };
  }, [id]);
  return lines;
}

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

import { type EpochLines, withLines } from './epoch-lines.js';
import { useLines } from './use-lines.js';

const NONE: EpochLines = new Map();

/** The epochs of a run so far, and those that come. */
export function useEpochs(id: string): EpochLines {
  return useLines('run', id, NONE, (before, events) =>
    withLines(
      before,
      events.flatMap((shown) => (shown.kind === 'run' ? [shown.event] : [])),
    ),
  );
}

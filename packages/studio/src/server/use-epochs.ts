import type { EpochEvent } from 'evenhand/studio';
import { useEffect, useState } from 'preact/hooks';
import { type EpochLines, withLines } from './epoch-lines.js';
import { listen } from './run-store.js';

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

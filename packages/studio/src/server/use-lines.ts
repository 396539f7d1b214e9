import { useEffect, useState } from 'preact/hooks';
import { listen, type Shown, type ShownEvent } from './run-store.js';

/**
 * What the lines of a run or a stream come to so far, and with those that come.
 *
 * @param none - before the first
 * @param taking - what was before, with lines that have come
 */
export function useLines<Lines>(
  kind: Shown['kind'],
  id: string,
  none: Lines,
  taking: (before: Lines, events: readonly ShownEvent[]) => Lines,
): Lines {
  const [lines, setLines] = useState(none);
  useEffect(() => {
    // Many lines come at once when a page opens: they are drawn together.
    let waiting: ShownEvent[] = [];
    let frame = 0;
    const draw = () => {
      const added = waiting;
      waiting = [];
      frame = 0;
      setLines((before) => taking(before, added));
    };
    const stop = listen({ kind, id }, (event) => {
      waiting.push(event);
      if (frame === 0) frame = requestAnimationFrame(draw);
    });
    return () => {
      stop();
      cancelAnimationFrame(frame);
      listen(undefined);
    };
  }, [kind, id]);
  return lines;
}

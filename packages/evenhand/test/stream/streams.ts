import { loadRuntime } from '@evenhand/engine/node';
import { type StreamEvent, StreamLearner } from '../../src/stream/learner/stream-learner.js';
import type { StreamOptionsInput } from '../../src/stream/options.js';
import type { StreamRow } from '../../src/stream/rows/stream-column.js';
import { columnsOfStream } from '../../src/stream/rows/stream-column.js';

/** Numbers from 0 to below 1, the same for the same seed (Park and Miller's generator). */
export function randomNumbers(seed: number): () => number {
  let state = (seed % 2147483646) + 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** What {@link twoClasses} makes. */
export interface TwoClasses {
  readonly rows: number;
  readonly seed: number;
  /** Of the class "rare". @defaultValue 0.05 */
  readonly share?: number;
  /** From which row on the two classes have each other's places. @defaultValue never */
  readonly swapAt?: number;
}

/** Rows of two overlapping classes, the rare one at larger x. */
export function twoClasses({
  rows,
  seed,
  share = 0.05,
  swapAt = rows,
}: TwoClasses): { x: number; y: number; class: string }[] {
  const random = randomNumbers(seed);
  const bell = () => random() + random() + random() + random() - 2; // a deviation of 0.58
  return Array.from({ length: rows }, (_, i) => {
    const isRare = random() < share;
    const place = isRare === i < swapAt ? 1 : 0;
    return { x: place + bell(), y: bell(), class: isRare ? 'rare' : 'common' };
  });
}

/** A learner of what {@link twoClasses} makes, or of other rows. */
export async function learnerOf(
  options: Partial<StreamOptionsInput> = {},
  {
    rows = twoClasses({ rows: 100, seed: 1 }),
    events = [],
  }: { rows?: readonly StreamRow[]; events?: StreamEvent[] } = {},
): Promise<StreamLearner> {
  const roles = { target: 'class', ...(options.id === undefined ? {} : { id: options.id }) };
  return StreamLearner.create({ target: 'class', ...options }, columnsOfStream(rows, roles), {
    runtime: await loadRuntime(),
    onEvent: (event) => events.push(event),
  });
}

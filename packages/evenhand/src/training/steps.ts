import type { Feeds } from '@evenhand/engine';
import type { Trainer } from '@evenhand/engine/node';

/** Milliseconds of work in one message: for small networks a message costs as much as a step. */
const CHUNK = 75;
/** Messages on their way: the trainer computes one while the next is made. */
const IN_FLIGHT = 2;

/** Arrays that are made anew for every step. */
const HAND_OVER = ['input', 'labels', 'labelRows'];

/** Steps of an epoch that are still to do. */
export interface StepsToDo {
  readonly from: number;
  readonly to: number;
  feeds(step: number): Feeds;
  /** Called when steps are done, in order. Whether to stop here; those on their way are still done. */
  done(step: number, losses: readonly number[]): boolean;
}

interface Chunk {
  readonly end: number;
  readonly losses: Promise<readonly number[]>;
}

/**
 * Carries out steps in their order, in chunks whose size depends on the machine. What is computed does not depend on it.
 *
 * @throws NonFiniteLossError of the engine
 */
export async function trainSteps(trainer: Trainer, { from, to, feeds, done }: StepsToDo): Promise<void> {
  const flying: Chunk[] = [];
  let [sent, finished, size, stopping] = [from, from, 1, false];
  let before = performance.now();
  const send = () => {
    const end = Math.min(sent + size, to);
    const batches = Array.from({ length: end - sent }, (_, i) => feeds(sent + i));
    const losses = trainer.steps(batches, { handOver: HAND_OVER });
    losses.catch(() => undefined); // awaited below, unless an earlier one failed
    flying.push({ end, losses });
    sent = end;
  };
  while (true) {
    while (!stopping && sent < to && flying.length < IN_FLIGHT) send();
    const chunk = flying.shift();
    if (chunk === undefined) return;
    const losses = await chunk.losses;
    const now = performance.now();
    size = Math.max(1, Math.round((CHUNK * (chunk.end - finished)) / (now - before)));
    [finished, before] = [chunk.end, now];
    if (done(finished, losses)) stopping = true;
  }
}

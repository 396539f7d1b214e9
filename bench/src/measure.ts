import type { Peer } from './peer.js';

/** What is compared: times, or memory. Of both, less is better. */
type Unit = 'ms' | 'MB';

/** One comparison: the best of both sides in one run, and their ratio, theirs / ours (above 1: ours is better). */
export interface Comparison {
  readonly name: string;
  readonly unit: Unit;
  readonly ours: number;
  readonly theirs: number | null;
  /** The peer's best way. */
  readonly peer: string | null;
  readonly ratio: number | null;
}

export interface Work {
  readonly name: string;
  /** Milliseconds unless given. */
  readonly unit?: Unit;
  /** Does the work once, to be timed, or returns what it took itself. */
  readonly ours: () => undefined | Promise<number>;
  /** What to send to the peer for the same work. */
  readonly peerWork: object;
}

/** Runs ours and the peer alternately, and keeps the best of each. */
export async function compare(work: Work, peer: Pick<Peer, 'run'> | null, rounds: number): Promise<Comparison> {
  let ours = Number.POSITIVE_INFINITY;
  let theirs: readonly [name: string, value: number] | null = null;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const best = await work.ours();
    ours = Math.min(ours, best ?? performance.now() - start);
    for (const way of (await peer?.run(work.peerWork)) ?? []) {
      if (theirs === null || way[1] < theirs[1]) theirs = way;
    }
  }
  return {
    name: work.name,
    unit: work.unit ?? 'ms',
    ours: rounded(ours),
    theirs: theirs === null ? null : rounded(theirs[1]),
    peer: theirs?.[0] ?? null,
    ratio: theirs === null ? null : rounded(theirs[1] / ours),
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

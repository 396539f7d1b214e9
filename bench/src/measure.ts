import type { PythonPeer } from './python-peer.js';

/** One comparison: best times of both sides in one run, and their ratio (above 1: ours is faster). */
export interface Comparison {
  readonly name: string;
  readonly oursMs: number;
  readonly peerMs: number | null;
  /** The peer's fastest way. */
  readonly peer: string | null;
  readonly ratio: number | null;
}

export interface Work {
  readonly name: string;
  /** Does the work once, or several times and returns the best time in milliseconds. */
  readonly ours: () => undefined | Promise<number>;
  /** What to send to the peer for the same work. */
  readonly peerWork: object;
}

/** Runs ours and the peer alternately, and keeps the best time of each. */
export async function compare(work: Work, peer: PythonPeer | null, rounds: number): Promise<Comparison> {
  let oursMs = Number.POSITIVE_INFINITY;
  let fastest: readonly [name: string, ms: number] | null = null;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const best = await work.ours();
    oursMs = Math.min(oursMs, best ?? performance.now() - start);
    for (const way of (await peer?.run(work.peerWork)) ?? []) {
      if (fastest === null || way[1] < fastest[1]) fastest = way;
    }
  }
  return {
    name: work.name,
    oursMs: rounded(oursMs),
    peerMs: fastest === null ? null : rounded(fastest[1]),
    peer: fastest?.[0] ?? null,
    ratio: fastest === null ? null : rounded(fastest[1] / oursMs),
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

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
  readonly ours: () => void;
  /** What to send to the peer for the same work. */
  readonly peerWork: object;
}

/** Runs ours and the peer alternately, and keeps the best time of each. */
export async function compare(work: Work, peer: PythonPeer | null, rounds: number): Promise<Comparison> {
  let oursMs = Number.POSITIVE_INFINITY;
  let best: readonly [name: string, ms: number] | null = null;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    work.ours();
    oursMs = Math.min(oursMs, performance.now() - start);
    for (const way of (await peer?.run(work.peerWork)) ?? []) {
      if (best === null || way[1] < best[1]) best = way;
    }
  }
  return {
    name: work.name,
    oursMs: rounded(oursMs),
    peerMs: best === null ? null : rounded(best[1]),
    peer: best?.[0] ?? null,
    ratio: best === null ? null : rounded(best[1] / oursMs),
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

/**
 * A generator of numbers in [0, 1) that depends on nothing but its keys, such as seed, round and member: what is drawn in a round is the same
 * whether the rounds before it were trained or restored. (SplitMix32 over a hash of the keys.)
 */
export function randomNumbers(...keys: readonly number[]): () => number {
  let state = 0x9e3779b9;
  for (const key of keys) {
    // A key above 32 bits counts with both of its halves.
    state = scrambled((state ^ (key >>> 0)) + 0x85ebca6b);
    state = scrambled((state ^ Math.floor(key / 2 ** 32)) + 0xc2b2ae35);
  }
  return () => {
    state = (state + 0x9e3779b9) | 0;
    return (scrambled(state) >>> 0) / 2 ** 32;
  };
}

function scrambled(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return mixed ^ (mixed >>> 15);
}

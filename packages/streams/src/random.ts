/**
 * A random number in [0, 1) that depends on three integers alone and not on earlier draws, so that no state has to be saved.
 *
 * The integers are mixed one after the other by the finaliser of MurmurHash3 (Appleby).
 */
export function randomAt(seed: number, stream: number, index: number): number {
  let hash = 0x9e3779b9;
  for (const value of [seed, Math.floor(seed / 2 ** 32), stream, index, Math.floor(index / 2 ** 32)]) {
    hash = mixed((hash + 0x9e3779b9 + value) | 0);
  }
  return (hash >>> 0) / 2 ** 32;
}

function mixed(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

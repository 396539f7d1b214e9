import { uint32At } from '../../checked-access.js';

/** Words of the state. */
const WORDS = 624;
const MIDDLE = 397;

/** A source of 32-bit words, each an integer in [0, 2³²). */
export type WordSource = () => number;

/**
 * The Mersenne Twister (Matsumoto and Nishimura 1998), seeded as NumPy's `RandomState(seed)`: the reference's `init_genrand`.
 * For selections that others published with it; everything of our own is drawn by `seededRandom`.
 *
 * @param seed - an integer in [0, 2³²)
 */
export function mt19937(seed: number): WordSource {
  const state = new Uint32Array(WORDS);
  state[0] = seed;
  for (let i = 1; i < WORDS; i++) {
    const before = uint32At(state, i - 1);
    state[i] = Math.imul(1812433253, before ^ (before >>> 30)) + i;
  }
  let next = WORDS;
  return () => {
    if (next === WORDS) {
      twist(state);
      next = 0;
    }
    return temper(uint32At(state, next++));
  };
}

/** One round of the recurrence, over the whole state in place. */
function twist(state: Uint32Array): void {
  for (let i = 0; i < WORDS; i++) {
    // The highest bit of one word, the others of the next.
    const joined = (uint32At(state, i) & 0x80000000) | (uint32At(state, (i + 1) % WORDS) & 0x7fffffff);
    state[i] = uint32At(state, (i + MIDDLE) % WORDS) ^ (joined >>> 1) ^ (joined & 1 ? 0x9908b0df : 0);
  }
}

function temper(word: number): number {
  let y = word ^ (word >>> 11);
  y ^= (y << 7) & 0x9d2c5680;
  y ^= (y << 15) & 0xefc60000;
  return (y ^ (y >>> 18)) >>> 0;
}

/** Seeded random numbers (mulberry32), so that every run of a test sees the same data and the same order. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, not including, 1. */
  uniform(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Standard normal (Box–Muller). */
  gaussian(): number {
    return Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }

  /** The same items in a random order (Fisher–Yates). */
  shuffled<Item>(items: readonly Item[]): Item[] {
    const rest = [...items];
    const order: Item[] = [];
    while (rest.length > 0) order.push(...rest.splice(Math.floor(this.uniform() * rest.length), 1));
    return order;
  }
}

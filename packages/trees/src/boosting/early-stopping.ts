/** Watches the loss of held-out rows. The best round is the first of the lowest loss. */
export class EarlyStopping {
  #lowest = Number.POSITIVE_INFINITY;
  #round = 0;
  #best = 0;

  /** @param patience - rounds without a lower loss after which training stops */
  constructor(private readonly patience: number) {}

  /** Takes note of a round; whether to go on. */
  goesOn(loss: number): boolean {
    this.#round++;
    if (loss < this.#lowest) {
      this.#lowest = loss;
      this.#best = this.#round;
    }
    return this.#round - this.#best < this.patience;
  }

  /** Rounds up to the best. */
  get best(): number {
    return Math.max(1, this.#best);
  }
}

/** The outcome of a label that arrived after its row. */
export type LabelOutcome<Row> =
  /** The row that it belongs to. */
  | { readonly kind: 'matched'; readonly row: Row }
  /** Its row already has a label: the first one stays. */
  | { readonly kind: 'repeated' }
  /** No recent row has this id: the label is too late, or wrong. */
  | { readonly kind: 'unknown' };

/** {@link PendingRows} as JSON. */
export interface PendingRowsJSON<Row> {
  readonly window: number;
  /** The last rows, the oldest first; without `row` where the label has come. */
  readonly rows: readonly { readonly id: string; readonly row?: Row }[];
}

/**
 * Rows that wait for their labels, found by their ids: the last `window` of them. Memory does not grow with labels that never come.
 *
 * @typeParam Row - what is kept of a row until its label comes; JSON
 */
export class PendingRows<Row extends NonNullable<unknown>> {
  readonly window: number;
  /** In the order of arrival, as maps are; null once the label has come. */
  readonly #rows = new Map<string, Row | null>();
  #waiting = 0;

  /** @param window - how many rows are remembered */
  constructor(window: number) {
    if (!Number.isSafeInteger(window) || window < 1) {
      throw new RangeError(`PendingRows: window is ${window}; expected a positive integer`);
    }
    this.window = window;
  }

  /** How many of the remembered rows have no label yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Remembers a row. Beyond the window the oldest one is given up.
   *
   * @returns false if a row with this id is already remembered; then nothing is done
   */
  add(id: string, row: Row): boolean {
    if (this.#rows.has(id)) return false;
    this.#rows.set(id, row);
    this.#waiting++;
    if (this.#rows.size > this.window) {
      for (const [oldest, waiting] of this.#rows) {
        this.#rows.delete(oldest);
        if (waiting !== null) this.#waiting--;
        break;
      }
    }
    return true;
  }

  /** Finds the row that a label belongs to. */
  label(id: string): LabelOutcome<Row> {
    const row = this.#rows.get(id);
    if (row === undefined) return { kind: 'unknown' };
    if (row === null) return { kind: 'repeated' };
    this.#rows.set(id, null);
    this.#waiting--;
    return { kind: 'matched', row };
  }

  toJSON(): PendingRowsJSON<Row> {
    return {
      window: this.window,
      rows: Array.from(this.#rows, ([id, row]) => (row === null ? { id } : { id, row })),
    };
  }

  /** What `toJSON` was called on. */
  static fromJSON<Row extends NonNullable<unknown>>({ window, rows }: PendingRowsJSON<Row>): PendingRows<Row> {
    const pending = new PendingRows<Row>(window);
    for (const { id, row = null } of rows) {
      pending.#rows.set(id, row);
      if (row !== null) pending.#waiting++;
    }
    return pending;
  }
}

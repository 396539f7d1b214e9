import { seededRandom, seedInPack, shuffled } from '@evenhand/engine';
import { at, float32At, int32At } from '../checked-access.js';
import type { Mixing } from '../methods/method.js';

/** The instances of a step, and what each is mixed with. */
export interface MixedBatch {
  readonly batch: Int32Array;
  readonly partners: Int32Array;
  /** How much of each is its own; the rest is its partner's. */
  readonly shares: Float32Array;
}

/** Where in training a batch stands. */
interface MixingPosition {
  readonly seed: number;
  readonly epoch: number;
  readonly step: number;
}

/**
 * Draws what each instance of a batch is mixed with: of a pack each network from the rows that it learns from, with one share for its whole
 * batch.
 *
 * @param batch - `[networks, batch]`
 * @param rowsByClass - of each network, the rows of every class that it has
 */
export function drawPartners(
  batch: Int32Array,
  rowsByClass: readonly (readonly Int32Array[])[],
  { partners, share }: Mixing,
  { seed, epoch, step }: MixingPosition,
): MixedBatch {
  const networks = rowsByClass.length;
  const size = batch.length / networks;
  const [chosen, shares] = [new Int32Array(batch.length), new Float32Array(batch.length)];
  for (let network = 0; network < networks; network++) {
    const random = seededRandom(seedInPack(seed, network), `mixing/${epoch}/${step}`);
    const own = batch.subarray(network * size, (network + 1) * size);
    const classes = at(rowsByClass, network);
    const drawn =
      partners === 'natural'
        ? shuffled(own, random)
        : own.map(() => {
            const rows = at(classes, Math.floor(random() * classes.length));
            return int32At(rows, Math.floor(random() * rows.length));
          });
    chosen.set(drawn, network * size);
    shares.fill(share(random), network * size, (network + 1) * size);
  }
  return { batch, partners: chosen, shares };
}

/** The rows of every class that has any. */
export function rowsOfClasses(rows: Int32Array, labels: Int32Array): Int32Array[] {
  const found = new Map<number, number[]>();
  for (const row of rows) {
    const label = int32At(labels, row);
    const own = found.get(label);
    if (own === undefined) found.set(label, [row]);
    else own.push(row);
  }
  return [...found].sort(([p], [q]) => p - q).map(([, own]) => Int32Array.from(own));
}

/** `share·l_a + (1 − share)·l_b` for the label rows of an instance and its partner. */
export function mixedLabelRows(
  { batch, partners, shares }: MixedBatch,
  labels: Int32Array,
  generator: Float32Array,
): Float32Array {
  const classes = Math.sqrt(generator.length);
  const rows = new Float32Array(batch.length * classes);
  for (const [i, instance] of batch.entries()) {
    const [own, other] = [int32At(labels, instance) * classes, int32At(labels, int32At(partners, i)) * classes];
    const share = float32At(shares, i);
    for (let q = 0; q < classes; q++) {
      rows[i * classes + q] = share * float32At(generator, own + q) + (1 - share) * float32At(generator, other + q);
    }
  }
  return rows;
}

/**
 * `share·x_a + (1 − share)·x_b`; for features between two values of which there is nothing, the value that has the larger share.
 *
 * @param own - `[instances, values]`, and so is `other`
 */
export function mixedInputs<Values extends Float32Array | Uint8Array>(
  own: Values,
  other: Values,
  shares: Float32Array,
  discrete: readonly number[],
): Values {
  const size = own.length / shares.length;
  const isDiscrete = new Set(discrete);
  const rounded = own instanceof Uint8Array;
  for (const [i, share] of shares.entries()) {
    for (let k = 0; k < size; k++) {
      const place = i * size + k;
      const [a, b] = [at(own, place), at(other, place)];
      const mixed = isDiscrete.has(k) ? (share >= 0.5 ? a : b) : b + share * (a - b);
      own[place] = rounded ? Math.round(mixed) : mixed;
    }
  }
  return own;
}

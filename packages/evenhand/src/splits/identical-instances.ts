import { at, int32At, outside } from '../checked-access.js';
import type { Column } from '../dataset/column.js';
import type { Dataset } from '../dataset/dataset.js';

/** How instances are compared: a hash of each, and an exact answer for two. */
interface Features {
  readonly hashes: Int32Array;
  equal(one: number, other: number): boolean;
}

/**
 * For every instance the first one that has the same features, its own if there is none before. Labels may differ.
 * Missing values are equal to each other.
 */
export function firstIdentical(dataset: Dataset): Int32Array {
  const instances = dataset.labels.length;
  const { hashes, equal } =
    dataset.kind === 'table' ? tableFeatures(dataset.columns, instances) : imageFeatures(dataset);
  // Open addressing: at most half of the slots are ever full.
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * instances + 1))).fill(-1);
  const first = new Int32Array(instances);
  for (let instance = 0; instance < instances; instance++) {
    const hash = int32At(hashes, instance);
    let slot = hash & (slots.length - 1);
    for (;;) {
      const candidate = int32At(slots, slot);
      if (candidate === -1) {
        slots[slot] = instance;
        first[instance] = instance;
        break;
      }
      if (hashes[candidate] === hash && equal(candidate, instance)) {
        first[instance] = candidate;
        break;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
  }
  return first;
}

function tableFeatures(columns: readonly Column[], instances: number): Features {
  const features = columns.map((column) => ('values' in column ? column.values : column.codes));
  const hashes = new Int32Array(instances);
  for (const values of features) addHashes(values, hashes);
  const same = (a: number | undefined, b: number | undefined) => a === b || (Number.isNaN(a) && Number.isNaN(b));
  return {
    hashes: hashes.map(mixBits),
    equal: (one, other) => features.every((values) => same(values[one], values[other])),
  };
}

/** Adds a column's numbers to the rows' hashes. */
function addHashes(values: Float64Array | Int32Array, hashes: Int32Array): void {
  const number = new Float64Array(1);
  const bits = new Int32Array(number.buffer);
  for (let i = 0; i < values.length; i++) {
    // Adding 0 makes −0 the 0 that it equals; writing a number makes every NaN the same.
    number[0] = at(values, i) + 0;
    const folded = int32At(bits, 0) ^ Math.imul(int32At(bits, 1), 0x9e3779b1);
    hashes[i] = mixBits(int32At(hashes, i) ^ folded);
  }
}

function imageFeatures({ labels, pixels }: Extract<Dataset, { kind: 'images' }>): Features {
  const size = labels.length === 0 ? 0 : pixels.length / labels.length;
  const hashes = new Int32Array(labels.length);
  for (let i = 0, pixel = 0; i < hashes.length; i++) {
    // FNV-1a.
    let hash = 0x811c9dc5;
    for (const end = pixel + size; pixel < end; pixel++) {
      const brightness = pixels[pixel];
      if (brightness === undefined) throw outside(pixels, pixel);
      hash = Math.imul(hash ^ brightness, 0x01000193);
    }
    hashes[i] = mixBits(hash);
  }
  const equal = (one: number, other: number) => {
    for (let i = 0; i < size; i++) if (pixels[one * size + i] !== pixels[other * size + i]) return false;
    return true;
  };
  return { hashes, equal };
}

/** Every bit of the word reaches every bit of the result (the finaliser of MurmurHash3). */
function mixBits(word: number): number {
  let hash = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

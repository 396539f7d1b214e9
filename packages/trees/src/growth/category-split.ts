import type { CategoryColumn } from '../bins/column.js';
import { at } from '../checked-access.js';
import { BIN_BYTES } from '../wasm/histogram-kernels.js';
import { RECORD } from '../wasm/split-kernel.js';
import type { GrowthOptions, Units, Workspace } from './workspace.js';

/** Rows that a category needs in a leaf to be told from the others; those below say more about chance. */
const SUPPORT = 10;
/** Added to the Hessian when categories are ordered, so that small ones do not stand at the ends. */
const SMOOTHING = 10;

interface CategorySums {
  readonly bin: number;
  readonly gradient: number;
  readonly hessian: number;
  readonly count: number;
}

/**
 * Orders the categories of a leaf by gradient over Hessian and looks for the best division of this order (Fisher 1958): the lowest or the
 * highest of them go left; all others go right with what is rare, unknown or missing. Writes the record of the split, like the kernel.
 */
export function findCategorySplit(
  space: Workspace,
  options: GrowthOptions,
  units: Units,
  column: CategoryColumn,
  histogram: number,
  totals: number,
  record: number,
): void {
  const all = sumsAt(space, totals, -1);
  const hessianUnits = 1 / units.hessian;
  const used: CategorySums[] = [];
  for (let bin = 0; bin < column.categories.length; bin++) {
    const sums = sumsAt(space, histogram + bin * BIN_BYTES, bin);
    if (sums.count >= SUPPORT) used.push(sums);
  }
  if (used.length === 0) return;
  const key = ({ gradient, hessian }: CategorySums) => gradient / (hessian + SMOOTHING * hessianUnits);
  used.sort((a, b) => key(a) - key(b) || a.bin - b.bin);
  const l2 = options.l2 * hessianUnits;
  const least = options.minimalLeafHessian * hessianUnits;
  let best = at(space.float64, (record + RECORD.score) / 8);
  let listed: readonly CategorySums[] | undefined;
  // Where all rows have a category of their own, what is listed of more than half is what is not listed of the others.
  const complete = used.reduce((sum, { count }) => sum + count, 0) === all.count;
  const longest = complete ? (used.length + 1) >> 1 : used.length;
  for (const ordered of [used, [...used].reverse()]) {
    let gradient = 0;
    let hessian = 0;
    let count = 0;
    for (let i = 0; i < longest; i++) {
      const own = at(ordered, i);
      gradient += own.gradient;
      hessian += own.hessian;
      count += own.count;
      const other = all.hessian - hessian;
      if (count < options.minimalLeafRows || hessian < least) continue;
      if (all.count - count < options.minimalLeafRows || other < least) break;
      const score = gradient ** 2 / (hessian + l2) + (all.gradient - gradient) ** 2 / (other + l2);
      if (score > best) {
        best = score;
        listed = ordered.slice(0, i + 1);
      }
    }
  }
  if (listed !== undefined) writeRecord(space, histogram, record, best, listed);
}

function writeRecord(
  { float64, int32, int64, bytes }: Workspace,
  histogram: number,
  record: number,
  score: number,
  listed: readonly CategorySums[],
): void {
  let gradients = 0n;
  let hessians = 0n;
  const bits = record + RECORD.categories;
  bytes.fill(0, bits, bits + 32);
  for (const { bin } of listed) {
    const entry = (histogram + bin * BIN_BYTES) / 8;
    gradients += at(int64, entry);
    hessians += at(int64, entry + 1);
    bytes[bits + (bin >> 3)] = at(bytes, bits + (bin >> 3)) | (1 << (bin & 7));
  }
  float64[(record + RECORD.score) / 8] = score;
  int32[(record + RECORD.missingLeft) / 4] = 0;
  int64[(record + RECORD.gradients) / 8] = gradients;
  int64[(record + RECORD.hessians) / 8] = hessians;
}

/** The sums of a bin as numbers, in units. */
function sumsAt({ int32, uint32, countBits }: Workspace, address: number, bin: number): CategorySums {
  const word = address / 4;
  const gradient = at(int32, word + 1) * 2 ** 32 + at(uint32, word);
  const low = at(uint32, word + 2);
  const count = low % 2 ** countBits;
  const hessian = (at(int32, word + 3) * 2 ** 32 + (low - count)) / 2 ** countBits;
  return { bin, gradient, hessian, count };
}

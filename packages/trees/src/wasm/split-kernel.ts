import { BIN_BYTES, BINS } from './histogram-kernels.js';
import { block, f64, f64x2, i32, i64, leave, repeatWhile, when } from './instructions.js';
import { FunctionWriter, type Local, type WrittenFunction } from './module.js';

/** Where the parts of the record of a split are. */
export const RECORD = {
  score: 0,
  bin: 8,
  missingLeft: 12,
  gradients: 16,
  hessians: 24,
  categories: 32,
  bytes: 64,
} as const;

/** What does not change while trees grow. */
export interface SplitConstants {
  /** Low bits of a sum of Hessians that hold the count. */
  readonly countBits: number;
  readonly minimalLeafRows: number;
}

/**
 * Goes through the bins of a numeric feature from the lowest and looks for the threshold of the largest
 *
 *   score = GL²/(HL + λ) + GR²/(HR + λ)
 *
 * The record has the score that has to be beaten. Of equal scores the first stays. Empty bins change nothing and are passed over.
 */
export function splitKernel({ countBits, minimalLeafRows }: SplitConstants): WrittenFunction {
  const writer = new FunctionWriter('split');
  const histogram = writer.parameter('i32');
  const totals = writer.parameter('i32');
  const thresholds = writer.parameter('i32');
  const missingLeft = writer.parameter('i32');
  const l2 = writer.parameter('f64');
  const minimalHessian = writer.parameter('f64');
  const record = writer.parameter('i32');
  const entry = writer.local('i32');
  const end = writer.local('i32');
  const gradient = writer.local('i64');
  const allGradient = writer.local('i64');
  const hessian = writer.local('i64');
  const otherHessian = writer.local('i64');
  const allHessian = writer.local('i64');
  const leftHessian = writer.local('f64');
  const rightHessian = writer.local('f64');
  const score = writer.local('f64');
  const best = writer.local('f64');
  const terms = writer.local('v128');

  const tooFew = (hessians: Local) =>
    i64.lt(i64.and(hessians.value, i64.const(2 ** countBits - 1)), i64.const(minimalLeafRows));
  const unpacked = (hessians: Local) => f64.convert(i64.shiftRight(hessians.value, i64.const(countBits)));
  const gradients = f64x2.pair(f64.convert(gradient.value), f64.convert(i64.sub(allGradient.value, gradient.value)));
  const hessians = f64x2.add(f64x2.pair(leftHessian.value, rightHessian.value), f64x2.splat(l2.value));

  const keep = [
    ...best.set(score.value),
    ...f64.store(record.value, score.value, RECORD.score),
    ...i32.store(record.value, i32.sub(entry.value, histogram.value), RECORD.bin),
    ...i32.store(record.value, missingLeft.value, RECORD.missingLeft),
    ...i64.store(record.value, gradient.value, RECORD.gradients),
    ...i64.store(record.value, hessian.value, RECORD.hessians),
  ];
  // From the inside: 0 is the bin, 1 the loop, 2 the condition around it, with which the search ends.
  const bin = block([
    ...leave(i64.eqz(i64.load(entry.value, 8)), 0),
    ...gradient.set(i64.add(gradient.value, i64.load(entry.value))),
    ...hessian.set(i64.add(hessian.value, i64.load(entry.value, 8))),
    ...leave(tooFew(hessian), 0),
    ...otherHessian.set(i64.sub(allHessian.value, hessian.value)),
    ...leave(tooFew(otherHessian), 2),
    ...leftHessian.set(unpacked(hessian)),
    ...leave(f64.lt(leftHessian.value, minimalHessian.value), 0),
    ...rightHessian.set(unpacked(otherHessian)),
    ...leave(f64.lt(rightHessian.value, minimalHessian.value), 2),
    ...terms.set(gradients),
    ...terms.set(f64x2.div(f64x2.mul(terms.value, terms.value), hessians)),
    ...score.set(f64.add(f64x2.extract(terms.value, 0), f64x2.extract(terms.value, 1))),
    ...when(f64.gt(score.value, best.value), keep),
  ]);
  const next = entry.set(i32.add(entry.value, i32.const(BIN_BYTES)));
  const goOn = i32.ltUnsigned(entry.value, end.value);
  const missing = (BINS - 1) * BIN_BYTES;
  const body = [
    ...entry.set(histogram.value),
    ...end.set(i32.add(histogram.value, i32.shl(thresholds.value, i32.const(4)))),
    ...allGradient.set(i64.load(totals.value)),
    ...allHessian.set(i64.load(totals.value, 8)),
    ...best.set(f64.load(record.value, RECORD.score)),
    ...when(missingLeft.value, [
      ...gradient.set(i64.load(histogram.value, missing)),
      ...hessian.set(i64.load(histogram.value, missing + 8)),
    ]),
    ...when(goOn, repeatWhile([...bin, ...next], goOn)),
  ];
  return { writer, body };
}

import { float64At, int32At } from '../checked-access.js';
import type { Column } from '../dataset/column.js';
import { datePartReader } from './date-parts.js';
import type { DatePart } from './preprocessing.js';

/**
 * The numbers that a rule standardises, of some rows. Numbers are float32, as the model's inputs are, so that training and
 * prediction see the same; what is too large for that is infinite, and so counts as missing.
 *
 * @param raw - receives them
 */
export function readRawNumbers(
  column: Column,
  part: DatePart | undefined,
  rows: Int32Array,
  raw: Float64Array | Float32Array,
): void {
  if ('codes' in column) {
    const { codes } = column;
    for (let i = 0; i < rows.length; i++) {
      const code = int32At(codes, int32At(rows, i));
      raw[i] = code < 0 ? Number.NaN : code;
    }
    return;
  }
  const { values } = column;
  if (part === undefined) {
    for (let i = 0; i < rows.length; i++) raw[i] = Math.fround(float64At(values, int32At(rows, i)));
    return;
  }
  const read = datePartReader(part);
  for (let i = 0; i < rows.length; i++) raw[i] = read(float64At(values, int32At(rows, i)));
}

/** Whether a rule has to fill in: neither NaN nor an infinite number is a value. */
export function isMissing(value: number): boolean {
  return value - value !== 0;
}

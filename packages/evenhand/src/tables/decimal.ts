import { float64At } from '../checked-access.js';

const ZERO = 0x30;
const POINT = 0x2e;
const PLUS = 0x2b;
const MINUS = 0x2d;
const LETTER_E = 0x65;

// A byte that is not there is read as 0, which ends a number as does every byte that is not part of one. Checked access, or
// even a name for this 0, is slower: reading a file takes 4 to 10 % longer.

/** 10⁰ … 10²²: the powers of ten that a double holds exactly. */
const POWERS = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const LARGEST_POWER = 22;

/** Significant digits, without zeros in front: eleven, and seven more. 10¹¹·5⁷ < 2⁵³, so that a double holds 10⁷ times the first. */
const HIGH_DIGITS = 11;
const HIGH_LIMIT = 10 ** (HIGH_DIGITS - 1);
const LOW_DIGITS = 7;

/**
 * Reads the decimal that starts at `start`: an optional sign, digits with an optional point, an optional exponent. No blanks,
 * no `0x`, no `Infinity`. Puts its value, the same as JavaScript's `Number(text)`, or NaN if there is none, into
 * `values[index]`, and gives the index of the first byte that does not belong to it.
 */
export function scanDecimal(bytes: Buffer, start: number, end: number, values: Float64Array, index: number): number {
  const first = start < end ? (bytes[start] ?? 0) : 0;
  const from = first === MINUS || first === PLUS ? start + 1 : start;
  let mantissa = 0;
  let at = from;
  let limit = Math.min(end, from + HIGH_DIGITS);
  for (; at < limit; at++) {
    const digit = (bytes[at] ?? 0) - ZERO;
    if (digit >>> 0 > 9) break;
    mantissa = mantissa * 10 + digit;
  }
  let digits = at - from;
  let point = -1;
  let fraction = 0;
  let next = at < end ? (bytes[at] ?? 0) : 0;
  if (next === POINT) {
    point = ++at;
    limit = Math.min(end, limit + 1);
    for (; at < limit; at++) {
      const digit = (bytes[at] ?? 0) - ZERO;
      if (digit >>> 0 > 9) break;
      mantissa = mantissa * 10 + digit;
    }
    fraction = at - point;
    digits += fraction;
    next = at < end ? (bytes[at] ?? 0) : 0;
  }
  if (digits === 0) {
    values[index] = Number.NaN;
    return at;
  }
  if ((next - ZERO) >>> 0 <= 9 || (next | 0x20) === LETTER_E) {
    return scanRest(bytes, start, at, end, mantissa, point, values, index);
  }
  // Few digits and no exponent, as in most numbers: one rounding of two exact ones.
  const value = mantissa / float64At(POWERS, fraction);
  values[index] = first === MINUS ? -value : value;
  return at;
}

/**
 * Reads on at `from`, behind the first digits of a decimal, which make `mantissa`, and its point, if it had one.
 *
 * @param pointEnd - the index behind the point, or −1
 */
function scanRest(
  bytes: Buffer,
  start: number,
  from: number,
  end: number,
  mantissa: number,
  pointEnd: number,
  values: Float64Array,
  index: number,
): number {
  let high = mantissa;
  let low = 0;
  let lowDigits = 0;
  let point = pointEnd;
  let at = from;
  for (; at < end; at++) {
    const digit = (bytes[at] ?? 0) - ZERO;
    if (digit >>> 0 > 9) {
      if (digit !== POINT - ZERO || point >= 0) break;
      point = at + 1;
    } else if (high < HIGH_LIMIT) {
      high = high * 10 + digit;
    } else {
      if (lowDigits < LOW_DIGITS) low = low * 10 + digit;
      lowDigits++;
    }
  }
  let exponent = point < 0 ? 0 : point - at;
  const behind = exponentEnd(bytes, at, end);
  if (behind > at) exponent += Number(bytes.toString('latin1', at + 1, behind));
  const value = lowDigits <= LOW_DIGITS ? scaled(high, low, lowDigits, exponent) : Number.NaN;
  if (Number.isNaN(value)) values[index] = Number(bytes.toString('latin1', start, behind));
  else values[index] = bytes[start] === MINUS ? -value : value;
  return behind;
}

const single = new Float64Array(1);

/** The decimal that fills `bytes` from `start` to `end`, or NaN if they are anything else. */
export function parseDecimal(bytes: Buffer, start: number, end: number): number {
  return scanDecimal(bytes, start, end, single, 0) === end ? float64At(single, 0) : Number.NaN;
}

/** The index behind an exponent that starts at `at`; `at` itself if there is none. */
function exponentEnd(bytes: Buffer, at: number, end: number): number {
  if (at >= end || ((bytes[at] ?? 0) | 0x20) !== LETTER_E) return at;
  const sign = at + 1 < end ? (bytes[at + 1] ?? 0) : 0;
  const from = sign === MINUS || sign === PLUS ? at + 2 : at + 1;
  let behind = from;
  while (behind < end && ((bytes[behind] ?? 0) - ZERO) >>> 0 <= 9) behind++;
  return behind > from ? behind : at;
}

/** (high·10^lowDigits + low)·10^exponent, correctly rounded, or NaN where this arithmetic cannot decide it. */
function scaled(high: number, low: number, lowDigits: number, exponent: number): number {
  const upper = high * float64At(POWERS, lowDigits);
  const mantissa = upper + low;
  // Rounded once at most.
  if (exponent === 0) return mantissa;
  if (mantissa < 2 ** 53) {
    // Not rounded yet.
    if (exponent < 0) return exponent >= -LARGEST_POWER ? mantissa / float64At(POWERS, -exponent) : Number.NaN;
    return exponent <= LARGEST_POWER ? mantissa * float64At(POWERS, exponent) : Number.NaN;
  }
  if (exponent > 0 || exponent < -LARGEST_POWER) return Number.NaN;
  return quotient(mantissa, low - (mantissa - upper), float64At(POWERS, -exponent));
}

/** 2²⁷ + 1 splits a double into two halves of at most 26 bits, whose products are exact (Veltkamp, Dekker). */
const SPLITTER = 134217729;
const BELOW = 1 - 2 ** -50;
const ABOVE = 1 + 2 ** -50;

/**
 * (dividend + rest)/divisor, correctly rounded, or NaN if it lies too close to the middle of two doubles to tell. With
 * q = fl(dividend/divisor), the remainder r = dividend − q·divisor is a double, so that the quotient is
 * q + (r + rest)/divisor, where the second term has a relative error below 2⁻⁵¹.
 */
function quotient(dividend: number, rest: number, divisor: number): number {
  const q = dividend / divisor;
  const qSpread = q * SPLITTER;
  const qHigh = qSpread - (qSpread - q);
  const qLow = q - qHigh;
  const dSpread = divisor * SPLITTER;
  const dHigh = dSpread - (dSpread - divisor);
  const dLow = divisor - dHigh;
  const product = q * divisor;
  const productError = qHigh * dHigh - product + qHigh * dLow + qLow * dHigh + qLow * dLow;
  const correction = (dividend - product - productError + rest) / divisor;
  const lower = q + correction * BELOW;
  return lower === q + correction * ABOVE ? lower : Number.NaN;
}

import { z } from 'zod';
import { UserError } from '../user-error.js';
import { describeIssue, faultsOf } from '../wording/schema-faults.js';

/** Digits of a sampled number: what is shown is what was trained. */
const DIGITS = 5;

const listSchema = z.array(z.json()).min(1, { error: 'expected at least one value' });

const rangeSchema = z
  .strictObject({
    from: z.number(),
    to: z.number(),
    scale: z.enum(['linear', 'log']).default('linear'),
    integer: z.boolean().default(false),
  })
  .check(({ value: range, issues }) => {
    const { from, to, scale, integer } = range;
    const refuse = (path: string, message: string) =>
      issues.push({ code: 'custom', path: [path], input: range, message });
    if (!(to > from)) refuse('to', `expected a number above ${from}, where the range begins`);
    if (scale === 'log' && !(from > 0)) refuse('from', 'expected a number above 0, for a logarithmic scale');
    if (integer && !Number.isInteger(from)) refuse('from', 'expected an integer');
    if (integer && !Number.isInteger(to)) refuse('to', 'expected an integer');
  });

/** Numbers between two ends, both included. */
export type Range = z.output<typeof rangeSchema>;

/** What a searched option may be: one of a list, or a number in a range. */
export type Domain = readonly unknown[] | Range;

/** An option that is searched. */
export interface Parameter {
  /** Dotted: `optimizer.learningRate`. */
  readonly path: string;
  readonly domain: Domain;
}

/** Values of a trial, by the paths of the searched options. */
export type TrialValues = Readonly<Record<string, unknown>>;

/** What is wrong with the values of a searched option. */
export function searchError(path: string, fault: string): UserError {
  return new UserError(`search ${path}: ${fault}`, { options: ['search'] });
}

/** Checks what was given for a searched option. */
export function parseDomain(path: string, given: unknown): Domain {
  const result = (Array.isArray(given) ? listSchema : rangeSchema).safeParse(given, { error: describeIssue });
  if (!result.success) throw searchError(path, faultsOf(result.error, given).join('; '));
  const { data } = result;
  if (!isList(data)) return data;
  const twice = data.find((value, i) => indexIn(data, value) < i);
  if (twice !== undefined) throw searchError(path, `${JSON.stringify(twice)} is in the list twice`);
  return data;
}

/** Whether a searched option is one of a list. */
export function isList(domain: Domain): domain is readonly unknown[] {
  return Array.isArray(domain);
}

/** Where a value stands in a list; -1 if it does not. */
export function indexIn(list: readonly unknown[], value: unknown): number {
  const text = JSON.stringify(value);
  return list.findIndex((other) => JSON.stringify(other) === text);
}

/** How many values there are: of a range that is not of integers, those with as many digits as are sampled. */
export function sizeOf(domain: Domain): number {
  if (isList(domain)) return domain.length;
  const { from, to, integer } = domain;
  if (integer) return to - from + 1;
  if (from <= 0 && to >= 0) return Number.POSITIVE_INFINITY; // ever smaller ones next to 0
  const [near, far] = from > 0 ? [from, to] : [-to, -from];
  return Math.max(1, rank(far) - rank(near, Math.ceil) + 1);
}

/** The rank of a number above 0 among those with {@link DIGITS} digits; between two, that of the lower one. */
function rank(value: number, whole: (digits: number) => number = Math.floor): number {
  const [digits = '', exponent] = value.toExponential().split('e');
  const lowest = 10 ** (DIGITS - 1);
  return Number(exponent) * 9 * lowest + whole(Number((Number(digits) * lowest).toPrecision(15))) - lowest;
}

/**
 * The value at a position in [0, 1] of a range: on a logarithmic scale `exp(log a + u·(log b − log a))`. An integer owns the
 * half on either side of it, so that the ends are as likely as the others.
 */
export function valueAt(range: Range, position: number): number {
  const { from, to, integer } = range;
  const [low, high] = edges(range);
  const value = fromScale(range, low + position * (high - low));
  const rounded = integer ? Math.round(value) : Number(value.toPrecision(DIGITS));
  return Math.min(to, Math.max(from, rounded));
}

/** The position in [0, 1] of a value; undoes {@link valueAt} but for the rounding. */
export function positionOf(range: Range, value: number): number {
  const [low, high] = edges(range);
  return Math.min(1, Math.max(0, (toScale(range, value) - low) / (high - low)));
}

function edges(range: Range): [number, number] {
  const margin = range.integer ? 0.5 : 0;
  return [toScale(range, range.from - margin), toScale(range, range.to + margin)];
}

function toScale({ scale }: Range, value: number): number {
  return scale === 'log' ? Math.log(value) : value;
}

function fromScale({ scale }: Range, value: number): number {
  return scale === 'log' ? Math.exp(value) : value;
}

/** Values that stand for a whole domain where all of it cannot be tried: a list, or ends and middle of a range. */
export function examplesOf(domain: Domain): readonly unknown[] {
  return isList(domain) ? domain : [domain.from, valueAt(domain, 0.5), domain.to];
}

/** Combination `index` of lists; the last list changes fastest. */
export function combination(lists: readonly (readonly unknown[])[], index: number): unknown[] {
  let rest = index;
  const values: unknown[] = [];
  for (const list of [...lists].reverse()) {
    values.unshift(list[rest % list.length]);
    rest = Math.floor(rest / list.length);
  }
  return values;
}

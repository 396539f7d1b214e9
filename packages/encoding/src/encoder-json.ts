import { checkCounts, checkFinite } from './check-arguments.js';
import { ENCODING_PARTS, type EncodingPart } from './generator-matrix.js';
import type { EpochRates } from './rates/rate.js';
import { checkRateValue } from './rates/rate-of-epoch.js';
import { initialRowFilter, type RowFilterState } from './rates/row-filter.js';

/** A rate in JSON: `'schedule'` where it is a function, which has to be given again to `fromJSON`. */
export type SavedRate = number | readonly number[] | 'auto' | 'schedule';

/** The state of an `EnhancementEncoder` as JSON. Every floating-point number survives exactly. */
export interface EncoderJSON {
  readonly format: 'evenhand-encoder';
  readonly version: 2;
  readonly classNames: readonly string[];
  /** `'schedule'` where the rate is a function, which has to be given again to `fromJSON`. */
  readonly enhancementRate: SavedRate;
  readonly updatingRate: SavedRate;
  readonly part: EncodingPart;
  readonly epoch: number;
  readonly generatorMatrix: readonly number[];
  readonly softConfusionMatrix: readonly number[];
  readonly observedCounts: readonly number[];
  /** Sums over each class of the squared probability of the class itself. */
  readonly ownSquares: readonly number[];
  /** What is believed of the diagonal of the normalised soft-confusion matrix, for rates that follow noise. */
  readonly rowFilter: RowFilterState;
  /** The rates of the last update; null before the first. */
  readonly rates: EpochRates | null;
  readonly staleClasses: readonly number[];
  /** Whether what was observed has entered the generator matrix already. */
  readonly updated: boolean;
}

export const ENCODER_FORMAT = 'evenhand-encoder';
export const ENCODER_VERSION = 2;

/** JSON that is a saved encoder, or an error that says what about it is not. */
export function parseEncoder(given: unknown): EncoderJSON {
  if (!isRecord(given) || given.format !== ENCODER_FORMAT) {
    throw new TypeError(
      `json is not a saved encoder: format is ${show(isRecord(given) ? given.format : given)}; expected "${ENCODER_FORMAT}"`,
    );
  }
  if (given.version !== 1 && given.version !== ENCODER_VERSION) {
    throw new RangeError(
      `json.version is ${show(given.version)}; this release reads versions 1 and ${ENCODER_VERSION}`,
    );
  }
  const json = given.version === 1 ? { ...withoutMoments(given), ...given } : given;
  const field = <Value>(name: keyof EncoderJSON, is: (value: unknown) => value is Value, expected: string): Value => {
    const value = json[name];
    if (!is(value)) throw mismatch(name, value, expected);
    return value;
  };
  const classNames = field('classNames', isStrings, 'an array of names');
  const classes = classNames.length;
  const encoder: EncoderJSON = {
    format: ENCODER_FORMAT,
    version: ENCODER_VERSION,
    classNames,
    enhancementRate: field('enhancementRate', isRate, RATE),
    updatingRate: field('updatingRate', isRate, RATE),
    part: field('part', isPart, `one of ${ENCODING_PARTS.join(', ')}`),
    epoch: field('epoch', isCount, 'a number of epochs'),
    generatorMatrix: field('generatorMatrix', isNumbers, 'an array of numbers'),
    softConfusionMatrix: field('softConfusionMatrix', isNumbers, 'an array of numbers'),
    observedCounts: field('observedCounts', isNumbers, 'an array of numbers'),
    ownSquares: field('ownSquares', isNumbers, 'an array of numbers'),
    rowFilter: field('rowFilter', isRowFilter, 'arrays of numbers: estimate, variance and difference'),
    rates: field('rates', isEpochRates, 'null, or enhancementRate and updatingRate of an epoch'),
    staleClasses: field('staleClasses', isClassesBelow(classes), `class indices from 0 to ${classes - 1}`),
    updated: field('updated', isBoolean, 'true or false'),
  };
  checkFinite(encoder.generatorMatrix, classes, classes, 'json.generatorMatrix');
  checkFinite(encoder.softConfusionMatrix, classes, classes, 'json.softConfusionMatrix');
  checkCounts(encoder.observedCounts, classes, 'json.observedCounts');
  checkFinite(encoder.ownSquares, 1, classes, 'json.ownSquares');
  const { estimate, variance, difference } = encoder.rowFilter;
  checkFinite(estimate, 1, classes, 'json.rowFilter.estimate');
  checkFinite(variance, 1, classes, 'json.rowFilter.variance');
  checkFinite(difference, 1, classes, 'json.rowFilter.difference');
  if (encoder.rates !== null) {
    checkRateValue(encoder.rates.enhancementRate, classes, 'enhancementRate');
    checkRateValue(encoder.rates.updatingRate, classes, 'updatingRate');
  }
  return encoder;
}

/**
 * What version 1 did not know. Between an observation and its update the squares are missing, too: they are then as if the instances of a
 * class were alike.
 */
function withoutMoments({ classNames, observedCounts, softConfusionMatrix }: Record<string, unknown>) {
  const classes = isStrings(classNames) ? classNames.length : 0;
  const [sums, counts] = [softConfusionMatrix, observedCounts].map((values) => (isNumbers(values) ? values : []));
  const ownSquares = Array.from({ length: classes }, (_, p) => {
    const [sum = 0, count = 0] = [sums?.[p * classes + p], counts?.[p]];
    return count === 0 ? 0 : sum ** 2 / count;
  });
  return { ownSquares, rowFilter: initialRowFilter(classes), rates: null };
}

function mismatch(field: string, value: unknown, expected: string): TypeError {
  return new TypeError(`json.${field} is ${show(value)}; expected ${expected}`);
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'number');
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

const RATE = 'a number, one number per class, "auto" or "schedule"';

function isRate(value: unknown): value is SavedRate {
  return isRateValue(value) || value === 'auto' || value === 'schedule';
}

function isRateValue(value: unknown): value is number | number[] {
  return typeof value === 'number' || isNumbers(value);
}

function isEpochRates(value: unknown): value is EpochRates | null {
  return value === null || (isRecord(value) && isRateValue(value.enhancementRate) && isRateValue(value.updatingRate));
}

function isRowFilter(value: unknown): value is RowFilterState {
  return isRecord(value) && isNumbers(value.estimate) && isNumbers(value.variance) && isNumbers(value.difference);
}

function isPart(value: unknown): value is EncodingPart {
  return ENCODING_PARTS.some((part) => part === value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isClassesBelow(classes: number): (value: unknown) => value is number[] {
  return (value): value is number[] => isNumbers(value) && value.every((p) => isCount(p) && p < classes);
}

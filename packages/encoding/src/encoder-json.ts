import { checkCounts, checkFinite } from './check-arguments.js';
import { ENCODING_PARTS, type EncodingPart } from './generator-matrix.js';

/** The state of an `EnhancementEncoder` as JSON. Every floating-point number survives exactly. */
export interface EncoderJSON {
  readonly format: 'evenhand-encoder';
  readonly version: 1;
  readonly classNames: readonly string[];
  /** `'schedule'` where the rate is a function, which has to be given again to `fromJSON`. */
  readonly enhancementRate: number | 'schedule';
  readonly updatingRate: number | 'schedule';
  readonly part: EncodingPart;
  readonly epoch: number;
  readonly generatorMatrix: readonly number[];
  readonly softConfusionMatrix: readonly number[];
  readonly observedCounts: readonly number[];
  readonly staleClasses: readonly number[];
  /** Whether what was observed has entered the generator matrix already. */
  readonly updated: boolean;
}

export const ENCODER_FORMAT = 'evenhand-encoder';
export const ENCODER_VERSION = 1;

/** JSON that is a saved encoder, or an error that says what about it is not. */
export function parseEncoder(json: unknown): EncoderJSON {
  if (!isRecord(json) || json.format !== ENCODER_FORMAT) {
    throw new TypeError(
      `json is not a saved encoder: format is ${show(isRecord(json) ? json.format : json)}; expected "${ENCODER_FORMAT}"`,
    );
  }
  if (json.version !== ENCODER_VERSION) {
    throw new RangeError(`json.version is ${show(json.version)}; this release reads version ${ENCODER_VERSION}`);
  }
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
    enhancementRate: field('enhancementRate', isRate, 'a number or "schedule"'),
    updatingRate: field('updatingRate', isRate, 'a number or "schedule"'),
    part: field('part', isPart, `one of ${ENCODING_PARTS.join(', ')}`),
    epoch: field('epoch', isCount, 'a number of epochs'),
    generatorMatrix: field('generatorMatrix', isNumbers, 'an array of numbers'),
    softConfusionMatrix: field('softConfusionMatrix', isNumbers, 'an array of numbers'),
    observedCounts: field('observedCounts', isNumbers, 'an array of numbers'),
    staleClasses: field('staleClasses', isClassesBelow(classes), `class indices from 0 to ${classes - 1}`),
    updated: field('updated', isBoolean, 'true or false'),
  };
  checkFinite(encoder.generatorMatrix, classes, classes, 'json.generatorMatrix');
  checkFinite(encoder.softConfusionMatrix, classes, classes, 'json.softConfusionMatrix');
  checkCounts(encoder.observedCounts, classes, 'json.observedCounts');
  return encoder;
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

function isRate(value: unknown): value is number | 'schedule' {
  return typeof value === 'number' || value === 'schedule';
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

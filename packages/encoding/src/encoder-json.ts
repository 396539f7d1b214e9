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
  const {
    version,
    classNames,
    part,
    epoch,
    generatorMatrix,
    softConfusionMatrix,
    observedCounts,
    staleClasses,
    updated,
  } = json;
  if (version !== ENCODER_VERSION) {
    throw new RangeError(`json.version is ${show(version)}; this release reads version ${ENCODER_VERSION}`);
  }
  if (!isStrings(classNames)) throw mismatch('classNames', classNames, 'an array of names');
  const classes = classNames.length;
  const knownPart = ENCODING_PARTS.find((known) => known === part);
  if (knownPart === undefined) throw mismatch('part', part, `one of ${ENCODING_PARTS.join(', ')}`);
  if (typeof epoch !== 'number' || !Number.isSafeInteger(epoch) || epoch < 0)
    throw mismatch('epoch', epoch, 'a number of epochs');
  if (!isNumbers(generatorMatrix)) throw mismatch('generatorMatrix', generatorMatrix, 'an array of numbers');
  if (!isNumbers(softConfusionMatrix))
    throw mismatch('softConfusionMatrix', softConfusionMatrix, 'an array of numbers');
  if (!isNumbers(observedCounts)) throw mismatch('observedCounts', observedCounts, 'an array of numbers');
  checkFinite(generatorMatrix, classes, classes, 'json.generatorMatrix');
  checkFinite(softConfusionMatrix, classes, classes, 'json.softConfusionMatrix');
  checkCounts(observedCounts, classes, 'json.observedCounts');
  if (!isNumbers(staleClasses) || !staleClasses.every((p) => Number.isInteger(p) && p >= 0 && p < classes)) {
    throw mismatch('staleClasses', staleClasses, `class indices from 0 to ${classes - 1}`);
  }
  if (typeof updated !== 'boolean') throw mismatch('updated', updated, 'true or false');
  return {
    format: ENCODER_FORMAT,
    version: ENCODER_VERSION,
    classNames,
    enhancementRate: parseRate(json.enhancementRate, 'enhancementRate'),
    updatingRate: parseRate(json.updatingRate, 'updatingRate'),
    part: knownPart,
    epoch,
    generatorMatrix,
    softConfusionMatrix,
    observedCounts,
    staleClasses,
    updated,
  };
}

function parseRate(rate: unknown, name: string): number | 'schedule' {
  if (typeof rate === 'number' || rate === 'schedule') return rate;
  throw mismatch(name, rate, 'a number or "schedule"');
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

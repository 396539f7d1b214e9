import { type EncoderOptions, EnhancementEncoder, type Rate, type SavedRate } from '@evenhand/encoding';
import type * as tf from '@tensorflow/tfjs';

/** Where the encoder's state stands in a model's user-defined metadata, and so in its model.json. */
const METADATA_KEY = 'evenhand';

const START_AGAIN = 'pass resume: false to start again from one-hot labels';

/** What of the options concerns the encoder. */
export interface EncoderChoice extends Omit<EncoderOptions, 'classes'> {
  /** @defaultValue `'0'`, `'1'`, … */
  readonly classNames?: readonly string[];
  /**
   * Whether to go on from the state that the model carries, if it carries one.
   * @defaultValue true
   */
  readonly resume?: boolean;
}

/** The encoder that a model carries, or a new one. */
export function encoderFor(model: tf.LayersModel, classes: number, choice: EncoderChoice): EnhancementEncoder {
  const { classNames, resume = true } = choice;
  if (classNames !== undefined && classNames.length !== classes) {
    throw new RangeError(
      `classNames has ${classNames.length} names; expected ${classes}, as model "${model.name}" has outputs`,
    );
  }
  const state = resume ? metadataOf(model)[METADATA_KEY] : undefined;
  return state === undefined
    ? new EnhancementEncoder({ ...choice, classes: classNames ?? classes })
    : restoredEncoder(state, classes, choice);
}

/** Lays the encoder's state into the model's metadata, beside what is there, so that saving the model saves it. */
export function carryEncoder(model: tf.LayersModel, encoder: EnhancementEncoder): void {
  model.setUserDefinedMetadata({ ...metadataOf(model), [METADATA_KEY]: encoder.toJSON() });
}

function restoredEncoder(state: unknown, classes: number, choice: EncoderChoice): EnhancementEncoder {
  // JSON keeps only that a rate was a function; stand-ins let the state be read before it is known which are given.
  const saved = EnhancementEncoder.fromJSON(state, { enhancementRate: () => 0, updatingRate: () => 0 }).toJSON();
  if (saved.classNames.length !== classes) {
    throw new RangeError(
      `the model carries enhancement for ${saved.classNames.length} classes and has ${classes} outputs; ${START_AGAIN}`,
    );
  }
  checkAgreement('classNames', saved.classNames, choice.classNames);
  checkAgreement('part', saved.part, choice.part);
  checkRateAgreement('enhancementRate', saved.enhancementRate, choice.enhancementRate);
  checkRateAgreement('updatingRate', saved.updatingRate, choice.updatingRate);
  return EnhancementEncoder.fromJSON(state, choice);
}

function checkRateAgreement(name: 'enhancementRate' | 'updatingRate', saved: SavedRate, given: Rate | undefined) {
  if (saved === 'schedule' && given === undefined) {
    throw new TypeError(
      `the model was trained with a function as ${name}, which cannot be saved; give it again: enhance(model, { ${name}, … })`,
    );
  }
  const comparable = typeof given === 'object' ? Array.from(given) : given;
  checkAgreement(name, saved, typeof comparable === 'function' ? 'schedule' : comparable);
}

function checkAgreement(name: string, saved: unknown, given: unknown): void {
  if (given === undefined || JSON.stringify(given) === JSON.stringify(saved)) return;
  throw new RangeError(
    `${name} is ${show(given)}, but the model was trained with ${show(saved)}; leave ${name} out to go on, or ${START_AGAIN}`,
  );
}

function show(value: unknown): string {
  return value === 'schedule' ? 'a function' : JSON.stringify(value);
}

function metadataOf(model: tf.LayersModel): Record<string, unknown> {
  // Declared as always there, but undefined until somebody sets it.
  return { ...model.getUserDefinedMetadata() };
}

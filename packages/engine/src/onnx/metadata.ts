import { create, toBinary } from '@bufbuild/protobuf';
import { type ModelProto, ModelProtoSchema, StringStringEntryProtoSchema } from 'onnx-buf';
import { type JsonValue, parseStrictJson, shownJson } from '../json/strict-json.js';
import { ModelError, readModel } from './read-model.js';

/** What a model says of itself, so that it can be used without the program that trained it. */
export interface ModelMetadata {
  /** Names of the classes, in the order of the output. */
  readonly classNames?: readonly string[];
  /** How raw data becomes the model's input. What it means is between those who write and read it. */
  readonly preprocessing?: JsonValue;
  /** How the output becomes answers. What it means is between those who write and read it. */
  readonly answers?: JsonValue;
}

const CLASS_NAMES = 'evenhand.class_names';
const PREPROCESSING = 'evenhand.preprocessing';
const ANSWERS = 'evenhand.answers';

/** Metadata as ONNX stores it: texts by key, here in JSON. */
export function metadataTexts({ classNames, preprocessing, answers }: ModelMetadata): Record<string, string> {
  if (classNames !== undefined) checkClassNames(classNames, 'the class names');
  return {
    ...(classNames === undefined ? {} : { [CLASS_NAMES]: JSON.stringify(classNames) }),
    ...(preprocessing === undefined ? {} : { [PREPROCESSING]: JSON.stringify(preprocessing) }),
    ...(answers === undefined ? {} : { [ANSWERS]: JSON.stringify(answers) }),
  };
}

/** The same model with other metadata; what other tools wrote there stays. */
export function withMetadata(bytes: Uint8Array, metadata: ModelMetadata): Uint8Array<ArrayBuffer> {
  const model = readModel(bytes);
  setMetadata(model, metadata);
  return toBinary(ModelProtoSchema, model);
}

/** Replaces the metadata of a model that has been read. */
export function setMetadata(model: ModelProto, metadata: ModelMetadata): void {
  const texts = metadataTexts(metadata);
  const others = model.metadataProps.filter(({ key }) => ![CLASS_NAMES, PREPROCESSING, ANSWERS].includes(key));
  const own = Object.entries(texts).map(([key, value]) => create(StringStringEntryProtoSchema, { key, value }));
  model.metadataProps = [...others, ...own];
}

/**
 * Reads a model's metadata. What is absent is left out; what is there but malformed is an error.
 *
 * @throws {@link ModelError}
 */
export function readMetadata(model: ModelProto): ModelMetadata {
  const classNames = readEntry(model, CLASS_NAMES);
  const preprocessing = readEntry(model, PREPROCESSING);
  const answers = readEntry(model, ANSWERS);
  return {
    ...(classNames === undefined ? {} : { classNames: checkClassNames(classNames, `the model's "${CLASS_NAMES}"`) }),
    ...(preprocessing === undefined ? {} : { preprocessing }),
    ...(answers === undefined ? {} : { answers }),
  };
}

function readEntry(model: ModelProto, key: string): JsonValue | undefined {
  const [entry, second] = model.metadataProps.filter((other) => other.key === key);
  if (entry === undefined) return undefined;
  if (second !== undefined) throw new ModelError(`the model's "${key}" is there twice; expected it once`);
  try {
    return parseStrictJson(entry.value);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ModelError(`the model's "${key}" is not valid JSON (${reason}); export the model again`);
  }
}

function checkClassNames(value: JsonValue, what: string): string[] {
  if (!Array.isArray(value)) throw new ModelError(`${what} are ${shownJson(value)}; expected a list of names`);
  const names = new Set<string>();
  for (const [i, name] of value.entries()) {
    if (typeof name !== 'string') throw new ModelError(`${what}: entry ${i} is ${shownJson(name)}; expected text`);
    if (names.has(name)) throw new ModelError(`${what}: ${shownJson(name)} is there twice; expected names that differ`);
    names.add(name);
  }
  return [...names];
}

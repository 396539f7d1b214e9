import { type Shape, sizeOf } from '../graph/tensor.js';
import { isJsonObject, type JsonValue, parseStrictJson, shownJson } from '../json/strict-json.js';
import { ARRAY_TYPES, isStoredType, SafetensorsError, type StoredType } from './stored-tensor.js';

/** The longest header that readers of the format accept. */
export const HEADER_LIMIT = 100_000_000;

/** Where a tensor lies in the data. */
interface TensorRecord {
  readonly name: string;
  readonly type: StoredType;
  readonly shape: Shape;
  readonly begin: number;
  readonly end: number;
}

/** A header that has been checked. */
export interface Header {
  readonly tensors: readonly TensorRecord[];
  readonly metadata: ReadonlyMap<string, string>;
}

/** Reads the JSON header of a file with `dataLength` bytes of data. */
export function parseHeader(bytes: Uint8Array, dataLength: number): Header {
  const json = parse(bytes);
  if (!isJsonObject(json)) throw new SafetensorsError('its header is not a JSON object');
  const { __metadata__: metadata = {}, ...described } = json;
  const tensors = Object.entries(described).map(([name, value]) => tensorRecord(name, value));
  checkOffsets(tensors, dataLength);
  return { tensors, metadata: parseMetadata(metadata) };
}

function parse(bytes: Uint8Array): JsonValue {
  try {
    return parseStrictJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SafetensorsError(`its header is not valid JSON (${reason}): it is damaged, or no safetensors file`);
  }
}

function parseMetadata(json: JsonValue | undefined): Map<string, string> {
  if (!isJsonObject(json)) throw new SafetensorsError('its __metadata__ is not a JSON object');
  return new Map(
    Object.entries(json).map(([key, value]) => {
      if (typeof value === 'string') return [key, value];
      throw new SafetensorsError(`its __metadata__ has ${shownJson(value)} for ${shownJson(key)}; expected text`);
    }),
  );
}

function tensorRecord(name: string, json: JsonValue): TensorRecord {
  const wrong = (what: string, value: JsonValue | undefined, expected: string) =>
    new SafetensorsError(`the tensor ${shownJson(name)} has ${what} ${shownJson(value)}; expected ${expected}`);
  if (!isJsonObject(json)) throw wrong('the description', json, 'an object');
  const { dtype, shape, data_offsets: offsets, ...others } = json;
  const [other] = Object.keys(others);
  if (other !== undefined) throw wrong('the field', other, 'dtype, shape and data_offsets only');
  if (!isStoredType(dtype)) throw wrong('the dtype', dtype, `one of ${Object.keys(ARRAY_TYPES).join(', ')}`);
  if (!isSizes(shape)) throw wrong('the shape', shape, 'integers from 0');
  if (!isSizes(offsets)) throw wrong('the data_offsets', offsets, 'two integers from 0');
  const [begin, end, ...rest] = offsets;
  if (begin === undefined || end === undefined || rest.length > 0 || begin > end) {
    throw wrong('the data_offsets', [...offsets], 'a beginning and an end behind it');
  }
  const length = sizeOf(shape) * ARRAY_TYPES[dtype].BYTES_PER_ELEMENT;
  if (length !== end - begin) {
    throw wrong('the data_offsets', [begin, end], `${length} bytes for ${dtype} ${shownJson(shape)}`);
  }
  return { name, type: dtype, shape, begin, end };
}

/** The tensors must follow each other without gap or overlap and fill the data: nothing can hide, nothing is missing. */
function checkOffsets(tensors: readonly TensorRecord[], dataLength: number): void {
  let previous: TensorRecord | undefined;
  for (const tensor of [...tensors].sort((a, b) => a.begin - b.begin || a.end - b.end)) {
    const expected = previous?.end ?? 0;
    if (tensor.end > dataLength) {
      throw new SafetensorsError(
        `the tensor ${shownJson(tensor.name)} ends at byte ${tensor.end} of ${dataLength} bytes of data: the file is cut off`,
      );
    }
    if (tensor.begin < expected) {
      throw new SafetensorsError(
        `the tensors ${shownJson(previous?.name)} and ${shownJson(tensor.name)} overlap at byte ${tensor.begin}`,
      );
    }
    if (tensor.begin > expected) {
      throw new SafetensorsError(`bytes ${expected} to ${tensor.begin} of the data belong to no tensor`);
    }
    previous = tensor;
  }
  const end = previous?.end ?? 0;
  if (end !== dataLength) throw new SafetensorsError(`bytes ${end} to ${dataLength} of the data belong to no tensor`);
}

function isSizes(json: JsonValue | undefined): json is readonly number[] {
  return Array.isArray(json) && json.every((size) => Number.isSafeInteger(size) && size >= 0);
}

import { sizeOf } from '../graph/tensor.js';
import { shownJson } from '../json/strict-json.js';
import { crc32 } from './checksum.js';
import { HEADER_LIMIT, parseHeader } from './safetensors-header.js';
import {
  ARRAY_TYPES,
  isStoredType,
  SafetensorsError,
  type StoredTensor,
  type StoredTensors,
  type StoredType,
} from './stored-tensor.js';

/** What a safetensors file holds. */
export interface SafetensorsFile {
  readonly tensors: StoredTensors;
  /** Free text by key, without the checksum. */
  readonly metadata: ReadonlyMap<string, string>;
}

/** How strict a file is read. */
export interface ReadSafetensorsOptions {
  /** What a message calls the file. @defaultValue `'the safetensors file'` */
  readonly source?: string;
  /** Refuse a file that {@link writeSafetensors} did not give a checksum. @defaultValue false */
  readonly requireChecksum?: boolean;
}

const LENGTH_BYTES = 8;
const CHECKSUM_KEY = 'checksum';
/** The header begins with the checksum, so that its place is known; it is computed with zeros there. */
const CHECKSUM_PREFIX = `{"__metadata__":{"${CHECKSUM_KEY}":"crc32:`;
const CHECKSUM_START = LENGTH_BYTES + CHECKSUM_PREFIX.length;
const ZEROS = '00000000';

/**
 * Tensors as the bytes of a safetensors file, which Python, Rust and many tools read. The same tensors and metadata give the
 * same bytes, whatever the order in the maps. A checksum of the whole file is part of its metadata.
 */
export function writeSafetensors(
  tensors: StoredTensors,
  metadata: ReadonlyMap<string, string> = new Map(),
): Uint8Array<ArrayBuffer> {
  for (const [name, tensor] of tensors) checkTensor(name, tensor);
  // Large elements first, so that every tensor is aligned to its element size; then by name.
  const sorted = [...tensors].sort(
    ([a, { data: x }], [b, { data: y }]) => y.BYTES_PER_ELEMENT - x.BYTES_PER_ELEMENT || (a < b ? -1 : 1),
  );
  let end = 0;
  const entries = sorted.map(([name, { shape, data }]) => {
    const begin = end;
    end += data.byteLength;
    return [name, JSON.stringify({ dtype: typeOf(data), shape, data_offsets: [begin, end] })] as const;
  });
  const header = new TextEncoder().encode(jsonObject([['__metadata__', metadataJson(metadata)], ...entries]));
  const headerLength = Math.ceil(header.length / 8) * 8;
  if (headerLength > HEADER_LIMIT)
    throw new SafetensorsError(`a header of ${headerLength} bytes is too long; ${limit()}`);
  const bytes = new Uint8Array(LENGTH_BYTES + headerLength + end);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(headerLength), true);
  bytes.fill(0x20, LENGTH_BYTES, LENGTH_BYTES + headerLength); // padding is spaces
  bytes.set(header, LENGTH_BYTES);
  let offset = LENGTH_BYTES + headerLength;
  for (const [, { data }] of sorted) {
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), offset);
    offset += data.byteLength;
  }
  bytes.set(new TextEncoder().encode(hexadecimal(crc32(bytes))), CHECKSUM_START);
  return bytes;
}

/**
 * Reads a safetensors file and checks everything that can be: sizes, offsets without gap or overlap, names, and the checksum
 * if there is one.
 *
 * @throws {@link SafetensorsError} that says what is wrong
 */
export function readSafetensors(bytes: Uint8Array, options: ReadSafetensorsOptions = {}): SafetensorsFile {
  const { source = 'the safetensors file', requireChecksum = false } = options;
  try {
    return read(bytes, requireChecksum);
  } catch (error) {
    if (!(error instanceof SafetensorsError)) throw error;
    throw new SafetensorsError(`${source} cannot be read: ${error.message}`);
  }
}

function read(bytes: Uint8Array, requireChecksum: boolean): SafetensorsFile {
  const headerLength = readHeaderLength(bytes);
  const dataStart = LENGTH_BYTES + headerLength;
  const header = parseHeader(bytes.subarray(LENGTH_BYTES, dataStart), bytes.length - dataStart);
  const checksum = header.metadata.get(CHECKSUM_KEY);
  if (checksum !== undefined) checkChecksum(bytes, checksum);
  else if (requireChecksum) throw new SafetensorsError('it has no checksum; expected one, as writeSafetensors makes');
  const tensors = header.tensors.map(({ name, type, shape, begin, end }): [string, StoredTensor] => {
    const memory = new Uint8Array(bytes.subarray(dataStart + begin, dataStart + end)).buffer; // a copy, aligned
    return [name, { shape, data: new ARRAY_TYPES[type](memory) }];
  });
  return {
    tensors: new Map(tensors),
    metadata: new Map([...header.metadata].filter(([key]) => key !== CHECKSUM_KEY)),
  };
}

function readHeaderLength(bytes: Uint8Array): number {
  if (bytes.length < LENGTH_BYTES) {
    throw new SafetensorsError(
      `it has ${bytes.length} bytes; expected at least ${LENGTH_BYTES}: it is cut off or empty`,
    );
  }
  const length = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
  if (length > BigInt(HEADER_LIMIT)) {
    throw new SafetensorsError(`its header claims ${length} bytes; ${limit()}: it is damaged, or no safetensors file`);
  }
  if (length > BigInt(bytes.length - LENGTH_BYTES)) {
    const rest = bytes.length - LENGTH_BYTES;
    throw new SafetensorsError(`its header claims ${length} bytes, but only ${rest} follow: it is cut off`);
  }
  return Number(length);
}

function checkChecksum(bytes: Uint8Array, stored: string): void {
  const start = CHECKSUM_START;
  const prefix = new TextEncoder().encode(CHECKSUM_PREFIX);
  if (!/^crc32:[0-9a-f]{8}$/.test(stored) || !prefix.every((byte, i) => bytes[LENGTH_BYTES + i] === byte)) {
    throw new SafetensorsError(
      `its checksum ${shownJson(stored)} is not as writeSafetensors makes it; another tool rewrote it`,
    );
  }
  const zeros = new TextEncoder().encode(ZEROS);
  const before = crc32(zeros, crc32(bytes.subarray(0, start)));
  const computed = `crc32:${hexadecimal(crc32(bytes.subarray(start + zeros.length), before))}`;
  if (computed !== stored) {
    throw new SafetensorsError(`its checksum is ${computed}, expected ${stored}: it is damaged; use an earlier copy`);
  }
}

function checkTensor(name: string, { shape, data }: StoredTensor): void {
  checkName(name, ['__proto__', '__metadata__']);
  const size = sizeOf(shape);
  if (!shape.every((length) => Number.isSafeInteger(length) && length >= 0) || size !== data.length) {
    throw new SafetensorsError(
      `the tensor "${name}" of shape [${shape.join(', ')}] has ${data.length} values; expected ${size}`,
    );
  }
}

function metadataJson(metadata: ReadonlyMap<string, string>): string {
  for (const key of metadata.keys()) checkName(key, ['__proto__', CHECKSUM_KEY]);
  const sorted = [...metadata].sort(([a], [b]) => (a < b ? -1 : 1));
  const checksum = [CHECKSUM_KEY, `crc32:${ZEROS}`] as const;
  return jsonObject([checksum, ...sorted].map(([key, text]) => [key, JSON.stringify(text)]));
}

function checkName(name: string, reserved: readonly string[]): void {
  if (reserved.includes(name)) throw new SafetensorsError(`the name "${name}" is reserved; choose another one`);
}

function typeOf(data: StoredTensor['data']): StoredType {
  const type = Object.entries(ARRAY_TYPES).find(([, array]) => data instanceof array)?.[0];
  if (!isStoredType(type)) throw new SafetensorsError(`a ${data.constructor.name} cannot be stored`);
  return type;
}

/** An object as JSON in the given order: JavaScript's own objects put keys that look like numbers first. */
function jsonObject(entries: readonly (readonly [key: string, json: string])[]): string {
  return `{${entries.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`;
}

function hexadecimal(value: number): string {
  return value.toString(16).padStart(ZEROS.length, '0');
}

function limit(): string {
  return `expected at most ${HEADER_LIMIT}`;
}

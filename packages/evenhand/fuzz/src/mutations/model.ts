import { fromBinary, toBinary } from '@bufbuild/protobuf';
import type { Random } from '@evenhand/engine';
import { ModelProtoSchema } from 'onnx-buf';
import type { Mutation } from '../reader.js';
import { BYTE_MUTATIONS } from './bytes.js';
import { pick, upTo } from './draw.js';
import { changeJson } from './json.js';

/** Another number, name, attribute, shape, list or tensor in a model that is still well formed as a message. */
const changeField: Mutation = (bytes, random) => {
  try {
    const model = fromBinary(ModelProtoSchema, bytes);
    const names = model.graph?.node.flatMap(({ input, output, opType }) => [...input, ...output, opType]) ?? [];
    changeSomewhere(model.graph !== undefined && random() < 0.8 ? model.graph : model, ['', ...names], random);
    return toBinary(ModelProtoSchema, model);
  } catch {
    return pick(BYTE_MUTATIONS, random)(bytes, random); // no message, or one that cannot be written
  }
};

/** Goes down by chance until there is something to change. */
function changeSomewhere(part: object, names: readonly string[], random: Random): void {
  const fields = Object.entries(part).filter(
    ([key, value]) => !key.startsWith('$') && key !== 'case' && !isEmpty(value),
  );
  if (fields.length === 0) return;
  const [key, value]: [string, unknown] = pick(fields, random);
  if (Array.isArray(value) && random() < 0.3) changeList(value, random);
  else if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) {
    changeSomewhere(value, names, random);
  } else Reflect.set(part, key, otherValue(value, names, random));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

const INTEGERS = [0, 1, -1, 2, 3, 7, 64, 255, 256, 4096, 65_537, 10 ** 6, 2 ** 30, 2 ** 31 - 1, -(2 ** 31)];

function otherValue(value: unknown, names: readonly string[], random: Random): unknown {
  if (typeof value === 'bigint') return pick([value + 1n, -value, 2n ** 63n - 1n, ...INTEGERS.map(BigInt)], random);
  if (typeof value === 'number') return pick([value + 1, -value, ...INTEGERS], random);
  if (typeof value === 'string') return /^[[{]/.test(value) ? changeJson(value, random) : pick(names, random);
  if (value instanceof Uint8Array) return pick(BYTE_MUTATIONS, random)(value, random);
  return value;
}

function changeList(list: unknown[], random: Random): void {
  const [a, b] = [upTo(list.length, random), upTo(list.length, random)];
  const change = pick(['remove', 'repeat', 'exchange'] as const, random);
  if (change === 'remove') list.splice(a, 1);
  else if (change === 'repeat') list.splice(b, 0, list[a]);
  else [list[a], list[b]] = [list[b], list[a]];
}

/** For ONNX models. */
export const MODEL_MUTATIONS: readonly Mutation[] = [
  ...Array<Mutation>(BYTE_MUTATIONS.length).fill(changeField),
  ...BYTE_MUTATIONS,
];

import type { Random } from '@evenhand/engine';
import type { Mutation } from '../reader.js';
import { pick, upTo } from './draw.js';
import { TEXT_MUTATIONS } from './text.js';

const DEEP_LISTS = 'deep lists';
const DEEP_OBJECTS = 'deep objects';

/** Values that are JSON, and hardly ever what was expected. */
const ODD_VALUES: readonly (() => unknown)[] = [
  ...[null, true, false, '', 'NaN', '__proto__', '\ud800', '\0', 'x'.repeat(10_000)].map((value) => () => value),
  ...[0, -1, 1, 0.5, 1e-320, 1e308, -1e308, 2 ** 31, 2 ** 32, 2 ** 53, 1e9].map((value) => () => value),
  () => [],
  () => ({}),
  () => JSON.parse('{"__proto__":{"polluted":true}}'),
  () => ({ constructor: { prototype: {} }, toString: 1, length: 2 ** 32 }),
  () => Array.from({ length: 5000 }, (_, i) => i),
  ...[DEEP_LISTS, DEEP_OBJECTS].map((value) => () => value),
];

/** Deeper than anything that calls itself for each level can follow, `JSON.stringify` too: hence as text. */
function withDepth(json: string, random: Random): string {
  const depth = pick([50, 500, 3000, 50_000], random);
  return json
    .replaceAll(JSON.stringify(DEEP_LISTS), '['.repeat(depth) + ']'.repeat(depth))
    .replaceAll(JSON.stringify(DEEP_OBJECTS), `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
}

/** One value changed in text that is JSON, which the result is, too. */
export function changeJson(text: string, random: Random): string {
  const root: unknown[] = [JSON.parse(text)];
  changeSomewhere(root, random);
  return withDepth(JSON.stringify(root[0]) ?? 'null', random);
}

function changeSomewhere(part: object, random: Random): void {
  const fields = Object.entries(part);
  if (fields.length === 0) return;
  const [key, value]: [string, unknown] = pick(fields, random);
  if (typeof value === 'object' && value !== null && random() < 0.85) changeSomewhere(value, random);
  else changeField(part, key, value, random);
}

function changeField(part: object, key: string, value: unknown, random: Random): void {
  const change = pick(['replace', 'replace', 'replace', 'remove', 'rename'] as const, random);
  if (change !== 'replace') Reflect.deleteProperty(part, key);
  if (change === 'remove') return;
  const name = change === 'rename' ? pick(['__proto__x', `${key} `, '', 'constructor', '0'], random) : key;
  Reflect.set(part, name, change === 'rename' ? value : otherValue(value, random));
}

function otherValue(value: unknown, random: Random): unknown {
  if (typeof value === 'number' && random() < 0.5) return pick([-value, value + 1, value / 2, value * 1e6], random);
  return pick(ODD_VALUES, random)();
}

/** Where JSON lies in a file: all of it, one of its lines, or the header of a safetensors file. */
function jsonIn(bytes: Uint8Array, random: Random): readonly [begin: number, end: number] {
  const first = bytes[0];
  if (first === '{'.charCodeAt(0) && bytes.indexOf(0x0a) > 100) {
    const lines = Buffer.from(bytes).toString('latin1').split('\n');
    const line = upTo(lines.length - 1, random);
    const begin = lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0);
    return [begin, begin + (lines[line]?.length ?? 0)];
  }
  if (first === '{'.charCodeAt(0) || first === 0xef) return [first === 0xef ? 3 : 0, bytes.length];
  return [8, 8 + Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true))];
}

const changeValue: Mutation = (bytes, random) => {
  try {
    const [begin, end] = jsonIn(bytes, random);
    const changed = changeJson(Buffer.from(bytes.subarray(begin, end)).toString(), random);
    return Buffer.concat([bytes.subarray(0, begin), Buffer.from(changed), bytes.subarray(end)]);
  } catch {
    return pick(TEXT_MUTATIONS, random)(bytes, random); // no JSON, or none any more
  }
};

/** For files of JSON, or with JSON in them. */
export const JSON_MUTATIONS: readonly Mutation[] = [
  ...Array<Mutation>(TEXT_MUTATIONS.length).fill(changeValue),
  ...TEXT_MUTATIONS,
];

import { z } from 'zod';
import { nearestName } from './nearest-name.js';

/** Longer values are cut in messages. */
const SHOWN = 60;

/** What zod found, in the words of our errors: where, what was received, what was expected. One line a fault. */
export function faultsOf(error: z.ZodError, given: unknown): string[] {
  return error.issues.map(({ code, path, message }) => {
    const option = path.join('.');
    if (code === 'unrecognized_keys') return option === '' ? message : `${option}: ${message}`;
    const value = valueAt(given, path);
    const received = value === undefined ? 'is missing' : `is ${show(value)}`;
    return `${option === '' ? 'the whole' : option} ${received}; ${message.replace(/^Expected/, 'expected')}`;
  });
}

/** The `expected …` half of a message, for schemas that do not bring their own. */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownOption(key, knownOptions(issue.inst))).join('; ');
    case 'invalid_type':
      return `expected ${TYPE_NAMES.get(issue.expected) ?? issue.expected}`;
    case 'invalid_value':
      return `expected ${anyOf(issue.values.map(String))}`;
    case 'invalid_union':
      return issue.discriminator === undefined ? undefined : `expected ${anyOf(unionNames(issue.inst))}`;
    case 'too_small':
      if (issue.origin === 'string') return 'expected some text';
      return `expected a number ${issue.inclusive ? 'of at least' : 'above'} ${issue.minimum}`;
    case 'too_big':
      return `expected a number ${issue.inclusive ? 'of at most' : 'below'} ${issue.maximum}`;
    default:
      return undefined;
  }
};

const TYPE_NAMES = new Map<string, string>([
  ['int', 'an integer'],
  ['number', 'a number'],
  ['string', 'text'],
  ['boolean', 'true or false'],
  ['object', 'an object'],
  ['array', 'a list'],
]);

function unknownOption(key: string, known: readonly string[]): string {
  const nearest = nearestName(key, known);
  const advice = nearest === undefined ? `expected ${anyOf(known)}` : `did you mean "${nearest}"?`;
  return `unknown option ${show(key)}; ${advice}`;
}

function knownOptions(schema: unknown): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function unionNames(schema: unknown): string[] {
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return [];
  return schema.options.flatMap((option) => {
    const name = option instanceof z.ZodObject ? option.shape[schema.def.discriminator] : undefined;
    return name instanceof z.ZodLiteral ? [...name.values].map(String) : [];
  });
}

function anyOf(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce(
    (inner: unknown, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

function show(value: unknown): string {
  const json = JSON.stringify(value) ?? String(value);
  return json.length > SHOWN ? `${json.slice(0, SHOWN)}…` : json;
}

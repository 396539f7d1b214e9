import type { z } from 'zod';
import { configJsonSchema } from './schema.js';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** An option of a configuration, as its schema describes it. */
export interface SchemaOption {
  /** Dotted: `optimizer.learningRate`. */
  readonly path: string;
  readonly description: string;
  /** What it may be, in a few words. */
  readonly values: string;
  /** What it is made of: one text; texts with commas between them; `name=value`, each given for itself; or anything else, as JSON. */
  readonly form: 'text' | 'texts' | 'named texts' | 'named numbers' | 'json';
  /** Kinds of its section that have it; none where the section has no kinds. */
  readonly kinds: readonly string[];
  /** Its defaults, and the kinds with each. */
  readonly defaults: readonly { readonly value: unknown; readonly kinds: readonly string[] }[];
}

/** Every option of a configuration, in the schema's order. */
export function schemaOptions(): SchemaOption[] {
  const found = new Map<string, SchemaOption>();
  collect(configJsonSchema(), { path: '', kinds: [], section: {} }, found);
  return [...found.values()];
}

/** Where in the schema something stands. */
interface SchemaPosition {
  readonly path: string;
  readonly kinds: readonly string[];
  /** The section with kinds that it belongs to: what is said of that is said of its name, which chooses the kind. */
  readonly section: JsonSchema;
}

function collect(schema: JsonSchema, position: SchemaPosition, found: Map<string, SchemaOption>): void {
  const { path, kinds } = position;
  const section = schema.oneOf === undefined ? position.section : schema;
  for (const [key, inner] of Object.entries(schema.properties ?? {})) {
    const inside = path === '' ? key : `${path}.${key}`;
    if (typeof inner !== 'boolean') collect(inner, { path: inside, kinds, section }, found);
  }
  for (const variant of schema.oneOf ?? []) {
    if (typeof variant !== 'boolean') collect(variant, { path, kinds: kindsOf(variant), section }, found);
  }
  if (schema.properties !== undefined || schema.oneOf !== undefined) return;
  add(leaf(schema, position), found);
}

/** What a variant of a section is called. */
function kindsOf({ properties }: JsonSchema): string[] {
  const name = properties?.name ?? properties?.kind;
  return name === undefined || typeof name === 'boolean' ? [] : (name.enum ?? [name.const]).map(String);
}

function leaf(schema: JsonSchema, { path, kinds, section }: SchemaPosition): SchemaOption {
  const words = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  const value = schema.default ?? defaultIn(section, path);
  return {
    path,
    description: schema.description ?? section.description ?? '',
    values: words === undefined ? typeName(schema) : words.join('|'),
    form: formOf(schema),
    kinds,
    defaults: value === undefined ? [] : [{ value, kinds }],
  };
}

function formOf({ type, items, additionalProperties }: JsonSchema): SchemaOption['form'] {
  const isOf = (inner: unknown, innerType: string) =>
    typeof inner === 'object' && inner !== null && 'type' in inner && inner.type === innerType;
  if (type === 'string') return 'text';
  if (type === 'array' && isOf(items, 'string')) return 'texts';
  if (type !== 'object') return 'json';
  if (isOf(additionalProperties, 'string')) return 'named texts';
  return isOf(additionalProperties, 'number') ? 'named numbers' : 'json';
}

/** The value of an option in the default of its section. */
function defaultIn({ default: whole }: JsonSchema, path: string): unknown {
  const key = path.replace(/^.*\./, '');
  return typeof whole === 'object' && whole !== null && Object.hasOwn(whole, key) ? Reflect.get(whole, key) : undefined;
}

function typeName({ type, anyOf }: JsonSchema): string {
  if (type === 'string') return 'text';
  if (typeof type === 'string') return type;
  const [first, ...others] = anyOf ?? [];
  const words = others.flatMap((other) =>
    typeof other === 'boolean' || other.const === undefined ? [] : [other.const],
  );
  return `${[first === undefined || typeof first === 'boolean' ? 'number' : typeName(first), ...words].join(', ')} or JSON`;
}

/** Variants of a section share options: what is said of them is joined. */
function add(option: SchemaOption, found: Map<string, SchemaOption>): void {
  const before = found.get(option.path);
  if (before === undefined) {
    found.set(option.path, option);
    return;
  }
  const values = [...new Set([...before.values.split('|'), ...option.values.split('|')])].join('|');
  const defaults = [...before.defaults];
  for (const { value, kinds } of option.defaults) {
    const same = defaults.findIndex((other) => JSON.stringify(other.value) === JSON.stringify(value));
    defaults[same === -1 ? defaults.length : same] = { value, kinds: [...(defaults[same]?.kinds ?? []), ...kinds] };
  }
  found.set(option.path, { ...before, values, kinds: [...before.kinds, ...option.kinds], defaults });
}

/** The defaults of an option for people; empty if it has none, or where its description says what they depend on. */
export function defaultText({ defaults, description }: SchemaOption): string {
  if (/\bby default\b/i.test(description)) return '';
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  const [first, ...others] = defaults;
  if (first === undefined) return '';
  if (others.length === 0) return text(first.value);
  return defaults.map(({ value, kinds }) => `${text(value)} (${kinds.join(', ')})`).join(', ');
}

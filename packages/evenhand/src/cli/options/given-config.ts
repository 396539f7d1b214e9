import { parseStrictJson } from '@evenhand/engine';
import { type SchemaOption, schemaOptions } from '../../config/schema-options.js';
import { readWholeFile } from '../../files/read-file.js';
import { DECIMAL_MARKS } from '../../tables/decimal-mark.js';
import { DELIMITERS } from '../../tables/delimiter.js';
import { UserError } from '../../user-error.js';
import { nearestName } from '../../wording/nearest-name.js';
import { optionName } from './flags.js';
import { flaggedOptions } from './options-from-schema.js';

/** A configuration as somebody gave it: nothing is checked yet, nothing filled in. */
export type GivenConfig = Record<string, unknown>;

/**
 * Joins what the command line says: the file of `--config`, then flags, then `--set`.
 *
 * @param values - the command's options, as commander has them
 */
export async function givenConfig(
  source: string | undefined,
  values: Readonly<Record<string, unknown>>,
): Promise<GivenConfig> {
  const given =
    typeof values.config === 'string'
      ? await readJsonObject(values.config, 'the configuration', '{"data": …, "epochs": …}')
      : {};
  if (source !== undefined) assign(given, 'data.source', source);
  for (const { option, flag } of flaggedOptions()) {
    const value = values[optionName(flag)];
    if (value === true) assign(given, option.path, true);
    if (typeof value === 'string') assign(given, option.path, flagValue(option, value));
    if (Array.isArray(value)) assign(given, option.path, namedValues({ option, flag }, value.map(String)));
  }
  applySettings(given, values.set);
  if (isObject(given.data) && given.data.source !== undefined) return given;
  throw new UserError(
    'no data was named; expected a file, a folder or a data set: npx evenhand train data.csv --target class',
  );
}

/** Applies `--set` settings, `key=value` each. */
export function applySettings(given: GivenConfig, settings: unknown): void {
  if (!Array.isArray(settings)) return;
  const options = schemaOptions();
  for (const setting of settings.map(String)) {
    const [, path, text] = /^([^=]+)=(.*)$/s.exec(setting) ?? [];
    if (path === undefined || text === undefined) {
      throw new UserError(`--set is "${setting}"; expected a name and a value, such as --set optimizer.momentum=0.8`);
    }
    assign(given, path, parsedValue(knownOption(path, options), text));
  }
}

/**
 * The option of this path, or undefined for a whole section and for the inside of an option.
 *
 * @param flag - where the path was given
 */
export function knownOption(path: string, options: readonly SchemaOption[], flag = '--set'): SchemaOption | undefined {
  const exact = options.find((option) => option.path === path);
  const isPart = options.some((option) => option.path.startsWith(`${path}.`) || path.startsWith(`${option.path}.`));
  if (exact !== undefined || isPart) return exact;
  const paths = options.map((option) => option.path);
  const sameName = paths.filter((other) => other.endsWith(`.${path}`));
  const nearest = sameName.length > 0 ? sameName.join('" or "') : nearestName(path, paths);
  const [section = ''] = path.split('.');
  const inSection = paths.filter((other) => other.startsWith(`${section}.`));
  const known = inSection.length > 0 ? inSection : [...new Set(paths.map((other) => other.replace(/\..*$/, '')))];
  const advice = nearest === undefined ? `expected one of ${known.join(', ')}` : `did you mean "${nearest}"?`;
  throw new UserError(`${flag} ${path}: there is no such option; ${advice}`);
}

/** What some people type instead of the names of marks. */
const MARKS = new Map([
  ['data.delimiter', new Map([...namesByMark(DELIMITERS), ['\\t', 'tab']])],
  ['data.decimal', namesByMark(DECIMAL_MARKS)],
]);

function namesByMark(marks: Readonly<Record<string, string>>): Map<string, string> {
  return new Map(Object.entries(marks).map(([name, mark]) => [mark, name]));
}

function flagValue(option: SchemaOption, text: string): unknown {
  if (option.form === 'texts') return text.split(',').map((name) => name.trim());
  return MARKS.get(option.path)?.get(text) ?? parsedValue(option, text);
}

/** `{ zip: 'categorical' }` of `zip=categorical`. */
function namedValues(
  { option: { form }, flag }: ReturnType<typeof flaggedOptions>[number],
  words: readonly string[],
): Record<string, unknown> {
  const isText = form === 'named texts';
  const entries = words.map((word) => {
    const [, name, text] = /^(.+)=([^=]+)$/s.exec(word) ?? [];
    if (name !== undefined && text !== undefined) return [name, isText ? text : parsedValue(undefined, text)] as const;
    const example = isText ? 'zip=categorical' : 'fraud=20';
    throw new UserError(`${flag} is "${word}"; expected a name and a value, such as ${flag} ${example}`);
  });
  return Object.fromEntries(entries);
}

/** Numbers, lists and the like are JSON; what is none is text. */
function parsedValue(option: SchemaOption | undefined, text: string): unknown {
  if (option?.form === 'text') return text;
  try {
    return parseStrictJson(text);
  } catch {
    return text;
  }
}

/** Every step is an own property: no name reaches a prototype. */
function assign(config: GivenConfig, path: string, value: unknown): void {
  const [first = '', ...rest] = path.split('.');
  const set = (inner: unknown) =>
    Object.defineProperty(config, first, { value: inner, enumerable: true, configurable: true, writable: true });
  if (rest.length === 0) {
    set(value);
    return;
  }
  const section = Object.hasOwn(config, first) ? config[first] : undefined;
  const copy: GivenConfig = isObject(section) ? { ...section } : {};
  assign(copy, rest.join('.'), value);
  set(copy);
}

/** A configuration has a few hundred bytes; what is larger than this is something else. */
const MOST_BYTES = 2 ** 26;

/**
 * Reads a file that holds a JSON object.
 *
 * @param what - what a message calls it
 * @param expected - an example
 */
export async function readJsonObject(path: string, what: string, expected: string): Promise<GivenConfig> {
  const text = (await readWholeFile(path, { maximumBytes: MOST_BYTES })).toString('utf8');
  let json: unknown;
  try {
    json = parseStrictJson(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UserError(`${what} ${path} is not valid JSON (${error instanceof Error ? error.message : error})`);
  }
  if (!isObject(json)) throw new UserError(`${what} ${path} is not a JSON object; expected ${expected}`);
  return { ...json };
}

function isObject(value: unknown): value is GivenConfig {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

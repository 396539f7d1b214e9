import { parseStrictJson } from '@evenhand/engine';
import { type SchemaOption, schemaOptions } from '../../../config/schema-options.js';
import { UserError } from '../../../user-error.js';
import { knownOption, readJsonObject } from '../../options/given-config.js';

const FLAG = '--search';
const NUMBER = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?`;
const RANGE = new RegExp(`^(?:(log|linear):)?(${NUMBER})\\.\\.(${NUMBER})$`, 'i');
const EXPECTED =
  'expected an option with its values, such as batchSize=32,128 or optimizer.learningRate=log:1e-3..0.3, or a JSON file';
const EXAMPLE = '{"optimizer.learningRate": {"from": 0.001, "to": 0.3, "scale": "log"}, "batchSize": [32, 128]}';

/**
 * Joins what `--search` says, each time: an option with a list, `batchSize=32,128`, or a range, `epochs=10..60` and
 * `optimizer.learningRate=log:1e-3..0.3`; or a JSON file with lists and ranges by option.
 */
export async function givenSearch(searches: readonly string[]): Promise<Record<string, unknown>> {
  if (searches.length === 0) throw new UserError(`${FLAG} is missing; ${EXPECTED}`);
  const options = schemaOptions();
  const found = new Map<string, unknown>();
  for (const search of searches) {
    for (const [path, domain] of await entriesOf(search, options)) {
      if (found.has(path)) throw new UserError(`${FLAG} ${path} is given twice; expected one list or range`);
      found.set(path, domain);
    }
  }
  return Object.fromEntries(found);
}

async function entriesOf(search: string, options: readonly SchemaOption[]): Promise<[string, unknown][]> {
  const [, path, text] = /^([^=]+)=(.*)$/s.exec(search) ?? [];
  if (path !== undefined && text !== undefined) {
    return [[path, domainOf(path, text, knownOption(path, options, FLAG))]];
  }
  if (!search.endsWith('.json')) {
    throw new UserError(`${FLAG} is "${search}"; ${EXPECTED}`);
  }
  const given = Object.entries(await readJsonObject(search, 'the search space', EXAMPLE));
  for (const [option] of given) knownOption(option, options, `${search}:`);
  return given;
}

function domainOf(path: string, text: string, option: SchemaOption | undefined): unknown {
  const [, scale = 'linear', from, to] = (option?.form === 'text' ? null : RANGE.exec(text)) ?? [];
  if (from !== undefined && to !== undefined) {
    return { from: Number(from), to: Number(to), scale: scale.toLowerCase(), integer: option?.values === 'integer' };
  }
  if (text === '' || /^(log|linear):/.test(text)) {
    throw new UserError(
      `${FLAG} ${path}: received "${text}"; expected values separated by commas, or a range such as log:1e-3..0.3`,
    );
  }
  return listOf(text, option);
}

/** Values are JSON, where they all are, so that lists in lists have their commas; texts otherwise. */
function listOf(text: string, option: SchemaOption | undefined): unknown {
  const texts = text.split(',');
  if (option?.form === 'text') return texts;
  try {
    return parseStrictJson(`[${text}]`);
  } catch {
    return texts;
  }
}

import { type Command, Option } from 'commander';
import { defaultText, type SchemaOption, schemaOptions } from '../../config/schema-options.js';
import { flagOf } from './flags.js';

/** The options that have a flag of their own; all others are reached with `--set`. */
const FLAGGED = [
  'data.target',
  'data.missingLabels',
  'data.missingValues',
  'data.ignore',
  'data.types',
  'data.invalidCells',
  'data.delimiter',
  'data.decimal',
  'data.rareClasses',
  'data.imageSize',
  'data.group',
  'data.testShare',
  'data.validationPerClass',
  'data.giveBack',
  'data.splitSeed',
  'model.name',
  'loss.name',
  'optimizer.name',
  'optimizer.learningRate',
  'method.enhancementRate',
  'method.updatingRate',
  'method.weights',
  'folds',
  'refit',
  'epochs',
  'batchSize',
  'time',
  'decision.objective',
  'seed',
  'threads',
  'device',
];

/** The words that a flag of a configuration may be followed by; none for numbers and texts. */
export function wordsOfFlags(): ReadonlyMap<string, readonly string[]> {
  const method = schemaOptions().filter(({ path }) => path === 'method.name');
  return new Map(
    [...method.map((option) => ({ option, flag: '--method' })), ...flaggedOptions()]
      .filter(({ option }) => option.values.includes('|'))
      .map(({ option, flag }) => [flag, option.values.split('|')]),
  );
}

/** The options that a command has a flag for. */
export function flaggedOptions(): { readonly option: SchemaOption; readonly flag: string }[] {
  const options = new Map(schemaOptions().map((option) => [option.path, option]));
  return FLAGGED.flatMap((path) => {
    const option = options.get(path);
    return option === undefined ? [] : [{ option, flag: flagOf(path) }];
  });
}

/** What errors name beside options of a configuration. */
const BESIDE_CONFIG = new Map([
  ['override', '--override'],
  ['search', '--search <option=values>'],
]);

/** How an option is given on a command line; undefined if it has no flag. */
export function usageOf(path: string): { readonly flag: string; readonly usage: string } | undefined {
  const other = BESIDE_CONFIG.get(path);
  if (other !== undefined) return { flag: other.replace(/ .*/, ''), usage: other };
  const found = flaggedOptions().find(({ option }) => option.path === path);
  if (found === undefined) return undefined;
  const { option, flag } = found;
  return {
    flag,
    usage: `${flag} ${option.values.includes('|') ? `<${option.values}>` : placeholderOf(option)}`.trimEnd(),
  };
}

/**
 * Adds the options of a configuration to a command.
 *
 * @param severalMethods - what the help says of several methods
 */
export function addConfigOptions(
  command: Command,
  severalMethods = 'several are compared: one-hot,enhancement',
): Command {
  const method = schemaOptions().find(({ path }) => path === 'method.name');
  if (method !== undefined) {
    command.option('--method <names>', `${helpOf(method)}; ${severalMethods}`);
  }
  for (const { option, flag } of flaggedOptions()) {
    const added = new Option(`${flag} ${placeholderOf(option)}`.trimEnd(), helpOf(option));
    command.addOption(option.form.startsWith('named') ? added.argParser(collected) : added);
  }
  return addSetOption(command).option('--config <file>', 'a configuration as JSON; flags and --set override it');
}

function collected(one: string, before: readonly string[] = []): string[] {
  return [...before, one];
}

function helpOf(option: SchemaOption): string {
  const fallback = option.form.startsWith('named') ? '' : defaultText(option);
  const words = option.values.includes('|') ? `: ${option.values.split('|').join(', ')}` : '';
  return `${option.description}${words}${fallback === '' ? '' : ` (default ${fallback})`}`;
}

function placeholderOf({ path, values, form }: SchemaOption): string {
  if (values === 'boolean') return ''; // the flag alone says yes
  if (form === 'texts') return '<columns>';
  if (form === 'named texts') return '<column=type>';
  if (form === 'named numbers') return '<class=number>';
  if (path === 'decision.objective') return '<name or JSON>';
  if (values === 'text') return '<column>'; // the texts with flags are columns of a table
  if (values.includes('|')) return '<name>';
  return path.startsWith('method.') ? '<rate>' : '<number>';
}

/** Adds `--set`, for every option that there is. */
export function addSetOption(command: Command): Command {
  return command.option('--set <key=value>', 'any option: --set optimizer.momentum=0.8 (may be repeated)', collected);
}

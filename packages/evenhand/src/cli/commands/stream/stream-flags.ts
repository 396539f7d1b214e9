import type { Command } from 'commander';
import { parseStreamOptions, type StreamOptionsInput, streamOptionsSchema } from '../../../stream/options.js';
import type { StreamColumn } from '../../../stream/rows/stream-column.js';
import { UserError } from '../../../user-error.js';
import { oneOf } from '../../options/checked-words.js';
import { textOf, valuesOf } from '../../options/define-command.js';
import { flagOf } from '../../options/flags.js';

/** Options of the learner: their names, what they are for, and their defaults. */
function learnerOptions() {
  const defaults = new Map(Object.entries(parseStreamOptions({ target: 'class' })));
  return Object.entries(streamOptionsSchema.shape).map(([name, { description = '' }]) => ({
    name,
    flag: flagOf(name),
    description,
    fallback: name === 'target' ? undefined : defaults.get(name),
  }));
}

/** Adds a flag for every option of the learner. */
export function addLearnerFlags(command: Command): Command {
  for (const { flag, description, fallback } of learnerOptions()) {
    const text = Array.isArray(fallback) ? fallback.join(',') : fallback;
    command.option(
      `${flag} <${placeholder(flag)}>`,
      text === undefined ? description : `${description} (default ${text})`,
    );
  }
  return command;
}

function placeholder(flag: string): string {
  if (flag === '--target' || flag === '--id') return 'column';
  return flag === '--method' || flag === '--drift' ? 'name' : flag === '--hidden' ? 'numbers' : 'number';
}

/** The options that were given, checked; what was not given is left out. */
export function givenLearnerOptions(command: Command): StreamOptionsInput {
  const target = textOf(command, 'target');
  if (target === undefined)
    throw new UserError('--target is missing; expected the name of the column with the classes');
  const given = learnerOptions().flatMap(({ name }): [string, unknown][] => {
    const text = textOf(command, name);
    return text === undefined ? [] : [[name, valueOfFlag(name, text)]];
  });
  const options = Object.fromEntries(given);
  parseStreamOptions(options, 'the options');
  return { ...options, target };
}

function valueOfFlag(name: string, text: string): unknown {
  if (name === 'target' || name === 'id') return text;
  if (name === 'hidden') return text.split(',').map(Number);
  const number = Number(text);
  return text.trim() === '' || Number.isNaN(number) ? text : number;
}

const KINDS: readonly StreamColumn['kind'][] = ['numeric', 'boolean', 'categorical'];

/** `zip=categorical` of `--type`. */
export function givenKinds(command: Command): Record<string, StreamColumn['kind']> {
  const { type } = valuesOf(command);
  const words = Array.isArray(type) ? type.map(String) : [];
  const kinds = words.map((word) => {
    const [, name, kind] = /^(.+)=([^=]+)$/s.exec(word) ?? [];
    if (name !== undefined && kind !== undefined) return [name, oneOf(`--type ${name}`, kind, KINDS)] as const;
    throw new UserError(`--type is "${word}"; expected a column and its type, such as --type zip=categorical`);
  });
  return Object.fromEntries(kinds);
}

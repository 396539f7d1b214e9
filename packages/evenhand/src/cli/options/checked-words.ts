import type { Command } from 'commander';
import { UserError } from '../../user-error.js';
import { nearestName } from '../../wording/nearest-name.js';
import { textOf } from './define-command.js';
import { optionName } from './flags.js';

/** One of some names, as it was typed. */
export function oneOf<Name extends string>(what: string, given: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === given);
  if (found !== undefined) return found;
  const nearest = nearestName(given, names);
  const advice = nearest === undefined ? 'expected' : `did you mean "${nearest}"? Expected`;
  throw new UserError(`${what} is "${given}"; ${advice} one of ${names.join(', ')}`);
}

/** A whole number from 1 on; undefined if the flag was not given. */
export function countOf(command: Command, flag: string, most = Number.MAX_SAFE_INTEGER): number | undefined {
  const text = textOf(command, optionName(flag));
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1 && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? 'from 1 on' : `from 1 to ${most}`;
  throw new UserError(`${flag} is "${text}"; expected an integer ${range}`);
}

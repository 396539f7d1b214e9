import type { Command } from 'commander';
import { FETCHABLE_NAMES, fetchDataset, isFetchable } from '../../sources/fetch.js';
import { UserError } from '../../user-error.js';
import { commandLine } from '../../wording/command-line.js';
import { nearestName } from '../../wording/nearest-name.js';
import { addExamples, addOutputOptions, terminalOf } from '../options/define-command.js';
import { interruptible } from '../terminal/interruptible.js';
import { printable } from '../terminal/text.js';

/** `evenhand data`. */
export function defineData(command: Command): Command {
  const fetch = command
    .command('fetch')
    .description('Downloads a known data set into the data folder (EVENHAND_DATA) and verifies it.');
  addOutputOptions(addExamples(fetch, ['data fetch mnist']).argument('<name>', FETCHABLE_NAMES.join(' or ')));
  fetch.action(async (name: string) => {
    const terminal = terminalOf(fetch);
    if (!isFetchable(name)) throw unknown(name);
    const folder = await interruptible(
      terminal,
      (signal) => fetchDataset(name, { onProgress: (step) => terminal.note(step), signal }),
      () => 'interrupted; what was downloaded is removed',
    );
    terminal.say(`${name} is in ${printable(folder)}`);
    terminal.say(`Next: ${commandLine('train', name)}`);
    terminal.json({ name, folder });
  });
  return addExamples(command, ['data fetch mnist']);
}

function unknown(name: string): UserError {
  const nearest = nearestName(name, FETCHABLE_NAMES);
  const advice = nearest === undefined ? `expected ${FETCHABLE_NAMES.join(' or ')}` : `did you mean "${nearest}"?`;
  return new UserError(`there is no data set "${name}" to fetch; ${advice}`);
}

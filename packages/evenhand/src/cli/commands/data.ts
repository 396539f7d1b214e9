import type { Command } from 'commander';
import { fetchDataset } from '../../sources/fetch.js';
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
    .description('Puts a known data set into the data folder (EVENHAND_DATA), verified.');
  addOutputOptions(addExamples(fetch, ['data fetch cifar10']).argument('<name>', 'cifar10; mnist is here already'));
  fetch.action(async (name: string) => {
    const terminal = terminalOf(fetch);
    if (name !== 'cifar10') throw unknown(name);
    const folder = await interruptible(
      terminal,
      (signal) => fetchDataset(name, { onProgress: (step) => terminal.note(step), signal }),
      () => 'interrupted; what was fetched of it is removed',
    );
    terminal.say(`${name} is in ${printable(folder)}`);
    terminal.say(`Next: ${commandLine('train', name)}`);
    terminal.json({ name, folder });
  });
  return addExamples(command, ['data fetch cifar10']);
}

function unknown(name: string): UserError {
  const nearest = nearestName(name, ['cifar10']);
  const advice = nearest === undefined ? 'expected cifar10 (mnist comes with evenhand)' : `did you mean "${nearest}"?`;
  return new UserError(`there is no data set "${name}" to fetch; ${advice}`);
}

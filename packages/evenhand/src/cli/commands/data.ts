import type { Command } from 'commander';
import { listenForInterruption } from '../../runs/interruption.js';
import { fetchDataset } from '../../sources/fetch.js';
import { UserError } from '../../user-error.js';
import { nearestName } from '../../wording/nearest-name.js';
import { commandLine } from '../shell.js';
import { printable } from '../text.js';
import { addOutputOptions, defineCommand, terminalOf } from './define-command.js';

/** `evenhand data fetch`. */
export function dataCommand(): Command {
  const fetch = defineCommand('fetch', 'Puts a known data set into the data folder (EVENHAND_DATA), verified.', [
    'data fetch cifar10',
  ]).argument('<name>', 'cifar10; mnist is here already');
  addOutputOptions(fetch);
  fetch.action(async (name: string) => {
    const terminal = terminalOf(fetch);
    if (name !== 'cifar10') throw unknown(name);
    const interruption = listenForInterruption();
    try {
      const onProgress = (step: string) => terminal.note(step);
      const folder = await fetchDataset(name, { onProgress, signal: interruption.signal });
      terminal.say(`${name} is in ${printable(folder)}`);
      terminal.say(`Next: ${commandLine('train', name)}`);
      terminal.json({ name, folder });
    } finally {
      interruption.stop();
    }
  });
  return defineCommand('data', 'Fetches known data sets.', ['data fetch cifar10']).addCommand(fetch);
}

function unknown(name: string): UserError {
  const nearest = nearestName(name, ['cifar10']);
  const advice = nearest === undefined ? 'expected cifar10 (mnist comes with evenhand)' : `did you mean "${nearest}"?`;
  return new UserError(`there is no data set "${name}" to fetch; ${advice}`);
}

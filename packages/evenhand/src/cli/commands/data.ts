import type { Command } from 'commander';
import { listenForInterruption } from '../../runs/interruption.js';
import { FETCHABLE_NAMES, fetchDataset, isFetchable } from '../../sources/fetch.js';
import { UserError } from '../../user-error.js';
import { nearestName } from '../../wording/nearest-name.js';
import { commandLine } from '../shell.js';
import { printable } from '../text.js';
import { addOutputOptions, defineCommand, terminalOf } from './define-command.js';

/** `evenhand data fetch`. */
export function dataCommand(): Command {
  const fetch = defineCommand('fetch', 'Puts a known data set into the data folder (EVENHAND_DATA), verified.', [
    'data fetch mnist',
  ]).argument('<name>', FETCHABLE_NAMES.join(' or '));
  addOutputOptions(fetch);
  fetch.action(async (name: string) => {
    const terminal = terminalOf(fetch);
    if (!isFetchable(name)) throw unknown(name);
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
  return defineCommand('data', 'Fetches known data sets.', ['data fetch mnist']).addCommand(fetch);
}

function unknown(name: string): UserError {
  const nearest = nearestName(name, FETCHABLE_NAMES);
  const advice = nearest === undefined ? `expected ${FETCHABLE_NAMES.join(' or ')}` : `did you mean "${nearest}"?`;
  return new UserError(`there is no data set "${name}" to fetch; ${advice}`);
}

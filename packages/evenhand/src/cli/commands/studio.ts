import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from 'commander';
import { startStudio } from '../../studio/server/studio-server.js';
import { UserError } from '../../user-error.js';
import { countOf } from '../options/checked-words.js';
import { addExamples, addOutputOptions, terminalOf, textOf, valuesOf } from '../options/define-command.js';
import { addQueueOption, queueOf } from '../options/queue-options.js';

const LARGEST_PORT = 65_535;
/** Where runs and streams are by the examples of their commands. */
const FOLDERS = ['runs', 'streams'];

/** `evenhand studio`. */
export function defineStudio(command: Command): Command {
  addExamples(command, ['studio', 'studio runs other-runs --port 8090', 'studio --no-open'])
    .argument('[folder...]', `folders with runs, sweeps and streams, at any depth (default: ${FOLDERS.join(' and ')})`)
    .option('--port <number>', 'the port (default: a free one)')
    .option(
      '--host <address>',
      'let other computers in, on this address of the machine, or 0.0.0.0 for all addresses: anyone who has the link can see all runs, train, and read the data in this folder, and the connection is not encrypted (default: 127.0.0.1, this computer only)',
    )
    .option('--no-open', 'only print the address; do not open a browser');
  addQueueOption(command, 'also show the trials of a queue, read-only');
  addOutputOptions(command);
  return command.action(async (folders: readonly string[]) => {
    const terminal = terminalOf(command);
    const port = countOf(command, '--port', LARGEST_PORT);
    const host = textOf(command, 'host');
    if (host === '')
      throw new UserError('--host is empty; expected an address of this computer, such as 0.0.0.0 for all');
    const queue = queueOf(command);
    const studio = await startStudio({
      folders: folders.length === 0 ? FOLDERS : folders,
      ...(port === undefined ? {} : { port }),
      ...(host === undefined ? {} : { host }),
      ...(queue === undefined ? {} : { queue }),
      onAddress: (address) => terminal.note(`To open it in another browser: ${address}`),
    });
    terminal.say(`The studio is at ${studio.address}`);
    terminal.json({ address: studio.address, port: studio.port });
    if (host !== undefined && !['127.0.0.1', 'localhost', '::1'].includes(host)) {
      terminal.note(
        `Note: other computers can reach it at ${host}, without encryption. Anyone who has the link can see all runs, train, and read the data in this folder.`,
      );
    }
    terminal.note('The address works once. Ctrl-C ends the studio.');
    if (valuesOf(command).open === true && terminal.options.json !== true) openBrowser(studio.address);
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    await studio.close();
  });
}

/** Where there is no browser, the printed address does. */
function openBrowser(address: string): void {
  const [program, ...words] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '""']
        : ['xdg-open'];
  if (program === undefined) return;
  const opener = spawn(program, [...words, address], { stdio: 'ignore', detached: true });
  opener.on('error', () => undefined);
  opener.unref();
}

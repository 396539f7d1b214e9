import { once } from 'node:events';
import type { Command } from 'commander';
import { isLoopback } from '../../../serve/access.js';
import type { ModelChange } from '../../../serve/model-change.js';
import type { ServedModel } from '../../../serve/served-model.js';
import { ModelServer } from '../../../serve/server.js';
import { listenForInterruption } from '../../../training/interruption.js';
import { UserError } from '../../../user-error.js';
import { countOf } from '../../options/checked-words.js';
import { addExamples, addOutputOptions, terminalOf, textOf, valuesOf } from '../../options/define-command.js';
import type { Terminal } from '../../terminal/terminal.js';
import { printable } from '../../terminal/text.js';
import { modelFile, readingOf } from '../predict/trained-model.js';

const MEGABYTE = 2 ** 20;
const DEFAULTS = { host: '127.0.0.1', port: 8080, queue: 10_000, bodyLimit: 10 } as const;
/** Where a token may be given without every user of the machine seeing it in the list of processes. */
const TOKEN_VARIABLE = 'EVENHAND_TOKEN';

/** `evenhand serve`. */
export function defineServe(command: Command): Command {
  addExamples(command, [
    'serve runs/fraud-logit-adjustment',
    'serve model.onnx --port 9000 --token "$(openssl rand -hex 16)"',
    'serve runs/photos-enhancement --host 0.0.0.0 --body-limit 20',
    'serve streams/events --follow',
  ])
    .argument('<run>', 'the folder of a run or of a stream, or its model.onnx')
    .option('--follow', 'when the model file changes, answer with the new model, and lose no request')
    .option('--port <number>', `port to listen on; 0 for any that is free (default: ${DEFAULTS.port})`)
    .option('--host <address>', `address to listen on; 0.0.0.0 for the whole network (default: ${DEFAULTS.host})`)
    .option(
      '--token <text>',
      `clients must send "Authorization: Bearer <text>" (default: $${TOKEN_VARIABLE}, or no token)`,
    )
    .option('--queue <rows>', `rows or images that may wait; more get 503 (default: ${DEFAULTS.queue})`)
    .option('--body-limit <MB>', `largest request body in MB; larger ones get 413 (default: ${DEFAULTS.bodyLimit})`)
    .option('--threads <number>', 'threads of one computation (default: 1 for tables, all but one for images)');
  addOutputOptions(command);
  return command.action(async (run: string) => {
    const terminal = terminalOf(command);
    const host = textOf(command, 'host') ?? DEFAULTS.host;
    const token = textOf(command, 'token') ?? process.env[TOKEN_VARIABLE];
    if (token === '') throw new UserError('the token is empty; give one that is hard to guess, or none');
    const interruption = listenForInterruption();
    try {
      const file = await modelFile(run);
      const server = await ModelServer.start(file, {
        host,
        port: portOf(command) ?? DEFAULTS.port,
        token,
        queue: countOf(command, '--queue') ?? DEFAULTS.queue,
        bodyLimit: (countOf(command, '--body-limit', MOST_MEGABYTES) ?? DEFAULTS.bodyLimit) * MEGABYTE,
        threads: countOf(command, '--threads'),
        reading: await readingOf(run),
        follow: valuesOf(command).follow === true,
        onChange: (change) => terminal.note(changeText(change, file)),
        onError: (error) => terminal.complain(error instanceof Error ? (error.stack ?? error.message) : String(error)),
      });
      introduce(terminal, server, file, { host, hasToken: token !== undefined });
      await endOf(server, interruption.signal);
      terminal.note('Answering pending requests, then closing; press Ctrl-C again to stop at once.');
      await server.drain();
    } finally {
      interruption.stop();
    }
  });
}

/** More than this is no text to Node. */
const MOST_MEGABYTES = 500;

function portOf(command: Command): number | undefined {
  const text = textOf(command, 'port');
  if (text === undefined) return undefined;
  const port = Number(text);
  if (text !== '' && Number.isInteger(port) && port >= 0 && port < 2 ** 16) return port;
  throw new UserError(`--port is "${text}"; expected an integer from 0 to 65535`);
}

function introduce(
  terminal: Terminal,
  { address, model }: ModelServer,
  file: string,
  { host, hasToken }: { readonly host: string; readonly hasToken: boolean },
): void {
  const { version } = model;
  const authorization = hasToken ? ' -H "Authorization: Bearer $TOKEN"' : '';
  terminal.say(`Serving ${printable(file)} (${outline(model)}) at ${address}`);
  terminal.say(`  curl${authorization} ${address}/model`);
  if (!isLoopback(host)) {
    terminal.note(
      hasToken
        ? 'note: everybody on the network can reach this server. What they send is not encrypted, the token included: put a TLS proxy in front of it.'
        : 'note: everybody on the network can reach this server and use it; set --token to require a password. Nothing is encrypted.',
    );
  }
  terminal.json({ address, model: file, version });
}

function outline({ version, classNames, preprocessing }: ServedModel): string {
  const takes = preprocessing.kind === 'table' ? `${preprocessing.columns.length} columns` : 'images';
  return `${takes}, ${classNames.length} classes, version ${version}`;
}

function changeText(change: ModelChange, file: string): string {
  const { model } = change;
  return change.kind === 'loaded'
    ? `${printable(file)} has changed: answering with the new model (${outline(model)})`
    : `note: ${printable(file)} has changed and cannot be used: ${printable(change.reason)}. Still answering with version ${model.version}`;
}

/** Waits until somebody asks for the end, or the model cannot go on. */
async function endOf(server: ModelServer, signal: AbortSignal): Promise<void> {
  const asked = signal.aborted ? Promise.resolve() : once(signal, 'abort').then(() => undefined);
  const fault = await Promise.race([asked, server.failed]);
  if (fault !== undefined) throw fault;
}

import type { Command } from 'commander';
import type { QueueExecutor } from '../../queue/queue-executor.js';
import { UserError } from '../../user-error.js';
import type { Terminal } from '../terminal/terminal.js';
import { textOf, valuesOf } from './define-command.js';

const QUEUE_HELP = 'redis://host:6379 or postgres://user@host/database (default: EVENHAND_QUEUE)';

/** The option that names the queue. */
export function addQueueOption(command: Command, what: string): Command {
  return command.option('--queue <address>', `${what}: ${QUEUE_HELP}`);
}

/** The options of commands that give trials to workers. */
export function addCoordinatorOptions(command: Command): Command {
  return addQueueOption(command, 'let workers on other machines train; they take the runs from this queue')
    .option(
      '--store <place>',
      'with --queue: how data and runs are transferred. http: served by this process; a folder that all machines share; s3://bucket/prefix (default: EVENHAND_STORE, else http)',
    )
    .option(
      '--serve <host:port>',
      'with --queue: the address at which this process serves them (default: its address as seen from the queue, any port)',
    )
    .option('--mixed', 'with --queue: also use workers whose processors round differently; the result says so');
}

/** Names of these options, for commands that allow few others beside one. */
export const COORDINATOR_OPTIONS: readonly string[] = ['queue', 'store', 'serve', 'mixed'];

/** The address of the queue, from the option or the environment; undefined if there is none. */
export function queueOf(command: Command): string | undefined {
  return textOf(command, 'queue') ?? (process.env.EVENHAND_QUEUE || undefined);
}

/** The address of a queue that there must be. */
export function requireQueue(command: Command): string {
  const url = queueOf(command);
  if (url !== undefined) return url;
  throw new UserError(
    '--queue is missing; expected redis://host:6379 or postgres://user@host/database, or EVENHAND_QUEUE',
  );
}

/**
 * Does work whose trials go to a queue, if one is given.
 *
 * @param folder - of all runs: who goes on with it finds its trials in the queue
 */
export async function withQueue<Result>(
  command: Command,
  terminal: Terminal,
  folder: string,
  work: (executor: QueueExecutor | undefined) => Promise<Result>,
): Promise<Result> {
  const url = queueOf(command);
  if (url === undefined) {
    refuseWithoutQueue(command);
    return work(undefined);
  }
  const { QueueExecutor } = await import('../../queue/queue-executor.js');
  const { parseStore } = await import('../../store/store-place.js');
  const executor = await QueueExecutor.open({
    url,
    folder,
    store: parseStore(textOf(command, 'store') ?? (process.env.EVENHAND_STORE || 'http')),
    serve: serverPlace(textOf(command, 'serve')),
    mixed: valuesOf(command).mixed === true,
    onNote: (note) => terminal.note(terminal.style('dim', `note: ${note}`, process.stderr)),
  });
  try {
    const result = await work(executor);
    for (const note of executor.notes) terminal.note(terminal.style('dim', `note: ${note}`, process.stderr));
    return result;
  } catch (error) {
    endSoon();
    throw error;
  } finally {
    await executor.close();
  }
}

/** Milliseconds. */
const GRACE = 10_000;

/**
 * Ends a command that is over although something is left that keeps trying to reach a server which is away. Where nothing is left,
 * the process ends by itself, and earlier.
 */
export function endSoon(): void {
  setTimeout(() => process.exit(), GRACE).unref();
}

function refuseWithoutQueue(command: Command): void {
  const given = ['store', 'serve', 'mixed'].find((name) => valuesOf(command)[name] !== undefined);
  if (given === undefined) return;
  throw new UserError(`--${given} is for trials that go to a queue; give its address with --queue, or leave it out`);
}

function serverPlace(text: string | undefined): { readonly host?: string; readonly port?: number } {
  if (text === undefined) return {};
  const [, host = '', port = ''] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
  const bare = host.replace(/^\[|\]$/g, '');
  if (bare === '' || Number(port) > 65_535) {
    throw new UserError(
      `--serve is "${text}"; expected the name or address of this machine and a port, such as 10.0.0.5:7070`,
    );
  }
  return { host: bare, ...(port === '' ? {} : { port: Number(port) }) };
}

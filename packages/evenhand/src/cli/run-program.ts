import { CommanderError } from 'commander';
import { errorCode, systemError, writeError } from '../files/file-error.js';
import { DivergedError } from '../training/diverged.js';
import { InterruptedError } from '../training/interruption.js';
import { UserError } from '../user-error.js';
import { errorMessage } from '../wording/error-message.js';
import { createProgram, type ProgramDefinition } from './program.js';
import { Terminal } from './terminal/terminal.js';

/** What the process exits with, beside 130 and 143 for SIGINT and SIGTERM. */
const EXIT_CODES = { success: 0, internal: 1, input: 2 } as const;

/** Runs the command that this process was started with, and sets its exit code. */
export async function runProgram(definition: ProgramDefinition): Promise<void> {
  process.stdout.on('error', (error) => {
    // `evenhand predict … | head` ends when its reader does: that is no fault.
    if (errorCode(error) === 'EPIPE') process.exit(EXIT_CODES.success);
    const told = writeError('to the standard output', error);
    new Terminal({}, definition.name).complain(errorMessage(told));
    process.exit(told instanceof UserError ? EXIT_CODES.input : EXIT_CODES.internal);
  });
  // Whom could one tell? Training goes on without an audience.
  process.stderr.on('error', () => undefined);
  // A file that becomes too large is an error of the write, not the death of the process.
  if (process.platform !== 'win32') process.on('SIGXFSZ', () => undefined);
  // No process.exit: what was written to a pipe has yet to arrive.
  process.exitCode = await exitCodeOf(definition, process.argv.slice(2));
}

async function exitCodeOf(definition: ProgramDefinition, args: readonly string[]): Promise<number> {
  const terminal = new Terminal({ json: args.includes('--json'), debug: args.includes('--debug') }, definition.name);
  const program = createProgram(definition, (text) => terminal.complain(text));
  try {
    return (await program.parse(args)) ? EXIT_CODES.input : EXIT_CODES.success;
  } catch (error) {
    return report(error, terminal, program.flags);
  }
}

/** @param flags - of the command that failed */
async function report(thrown: unknown, terminal: Terminal, flags: readonly string[]): Promise<number> {
  const error = systemError(await withoutRuntime(thrown));
  // Commander has said what there is to say, be it the help that was asked for.
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT_CODES.success;
    terminal.json({ error: { kind: 'usage', message: error.message } });
    return EXIT_CODES.input;
  }
  const [message, stack] = error instanceof Error ? [error.message, error.stack] : [String(error), undefined];
  if (error instanceof InterruptedError) {
    terminal.json({ error: { kind: 'interrupted', message } });
    return error.exitCode;
  }
  if (error instanceof UserError || error instanceof DivergedError) {
    terminal.complain(`${message}${await adviceOn(error.options, flags)}`);
    if (terminal.options.debug) terminal.complain(stack ?? '');
    terminal.json({ error: { kind: error instanceof UserError ? 'input' : 'diverged', message } });
    return EXIT_CODES.input;
  }
  terminal.complain(`internal error: ${message}`);
  terminal.complain(
    terminal.options.debug ? (stack ?? '') : 'this is a bug of evenhand; --debug shows where it happened',
  );
  terminal.json({ error: { kind: 'internal', message } });
  return EXIT_CODES.internal;
}

/** A runtime that cannot be loaded is for the user to install: not every command has loaded it by the engine, which says so. */
async function withoutRuntime(error: unknown): Promise<unknown> {
  if (!(error instanceof Error)) return error;
  if (error.name === 'DeviceError') return new UserError(error.message, { cause: error });
  if (!error.message.includes('onnxruntime')) return error;
  const { loadRuntime } = await import('@evenhand/engine/node');
  return loadRuntime().then(
    () => error,
    (cause: Error) => new UserError(cause.message, { cause }),
  );
}

/** The library speaks of options by their names in a configuration; here they may have a flag. */
async function adviceOn(options: readonly string[], flags: readonly string[]): Promise<string> {
  if (options.length === 0 || flags.length === 0) return '';
  const { usageOf } = await import('./options/options-from-schema.js');
  const usages = options.flatMap((option) => usageOf(option) ?? []).filter(({ flag }) => flags.includes(flag));
  return usages.length === 0 ? '' : `\n  (on the command line: ${usages.map(({ usage }) => usage).join(', ')})`;
}

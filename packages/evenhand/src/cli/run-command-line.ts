import { CommanderError } from 'commander';
import { InterruptedError } from '../runs/interruption.js';
import { DivergedError } from '../training/diverged.js';
import { UserError } from '../user-error.js';
import { flagsNamedIn } from './options-from-schema.js';
import { createProgram } from './program.js';
import { Terminal } from './terminal.js';

/** What the process exits with, beside 130 and 143 for SIGINT and SIGTERM. */
const EXIT_CODES = { success: 0, internal: 1, input: 2 } as const;

/**
 * Runs a command.
 *
 * @param args - without the names of Node and of the script
 * @returns the exit code
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const terminal = new Terminal({ json: args.includes('--json'), debug: args.includes('--debug') });
  const program = createProgram((text) => terminal.complain(text));
  try {
    return (await program.parse(args)) ? EXIT_CODES.input : EXIT_CODES.success;
  } catch (error) {
    const command = program.root.commands.find((known) => known.name() === args[0]);
    const options = command?.options.map(({ long }) => long) ?? [];
    return report(error, terminal, (flag) => options.includes(flag));
  }
}

/** @param hasFlag - whether the command that failed knows a flag */
function report(error: unknown, terminal: Terminal, hasFlag: (flag: string) => boolean): number {
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
  const kind = kindOf(error);
  terminal.complain(kind === 'internal' ? `internal error: ${message}` : `${message}${adviceOn(message, hasFlag)}`);
  if (terminal.options.debug) terminal.complain(stack ?? '');
  else if (kind === 'internal') terminal.complain('this is a bug of evenhand; --debug shows where it happened');
  terminal.json({ error: { kind, message } });
  return kind === 'internal' ? EXIT_CODES.internal : EXIT_CODES.input;
}

function kindOf(error: unknown): 'input' | 'diverged' | 'internal' {
  if (error instanceof UserError) return 'input';
  return error instanceof DivergedError ? 'diverged' : 'internal';
}

/** The library speaks of options by their names in a configuration; here they may have a flag. */
function adviceOn(message: string, hasFlag: (flag: string) => boolean): string {
  if (message.startsWith('--')) return '';
  const named = [...flagsNamedIn(message), ...(message.includes('override this explicitly') ? ['--override'] : [])];
  const flags = named.filter((flag) => hasFlag(flag.replace(/ .*/, '')));
  return flags.length === 0 ? '' : `\n  (on the command line: ${flags.join(', ')})`;
}

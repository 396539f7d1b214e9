import type { Command } from 'commander';
import { type OutputOptions, Terminal } from '../terminal/terminal.js';

/** Adds examples to the help of a command: what to type behind `npx evenhand`. */
export function addExamples(command: Command, examples: readonly string[], program = 'npx evenhand'): Command {
  const lines = examples.map((example) => `  ${program} ${example}`);
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

/** The options of every command. They come last in its help. */
export function addOutputOptions(command: Command): Command {
  return command
    .option('--json', 'one JSON object on stdout')
    .option('--quiet', 'no progress and no notes')
    .option('--debug', 'stack traces with errors');
}

/** Where a command speaks. */
export function terminalOf(command: Command): Terminal {
  const options: OutputOptions = command.opts();
  return new Terminal(options, rootOf(command).name());
}

/** The program that a command belongs to. */
function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

/** A command's options, not checked by anybody yet. */
export function valuesOf(command: Command): Readonly<Record<string, unknown>> {
  return command.opts();
}

/** The text of an option; undefined if it was not given. */
export function textOf(command: Command, option: string): string | undefined {
  const value = valuesOf(command)[option];
  return typeof value === 'string' ? value : undefined;
}

import { Command } from 'commander';

/** What commands share. */
export interface CommandContext {
  /** All commands of the program, each with its options. */
  loadAll(): Promise<Command>;
  /** Called if a command found problems in what it was given. */
  onProblems(): void;
}

/** Adds arguments, options, examples and the action to a command that has its name and description. */
export type DefineCommand = (command: Command, context: CommandContext) => Command;

/** A command, as far as the program's own help needs it. What it does is loaded when it is called. */
export interface CommandEntry {
  readonly name: string;
  readonly description: string;
  readonly load: () => Promise<DefineCommand>;
  readonly hidden?: boolean;
}

/** A program with commands. */
export interface ProgramDefinition {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** Lines at the end of its help. */
  readonly examples: readonly string[];
  readonly commands: readonly CommandEntry[];
}

/** A command line, ready to run. */
export interface Program {
  /** Runs a command. Whether it found problems in what it was given. */
  parse(args: readonly string[]): Promise<boolean>;
  /** Flags of the command that was called. */
  readonly flags: readonly string[];
}

/** @param complain - is told what is wrong with the words on the command line */
export function createProgram(definition: ProgramDefinition, complain: (text: string) => void): Program {
  let problems = false;
  let flags: readonly string[] = [];
  const rootWith = async (isLoaded: (entry: CommandEntry) => boolean): Promise<Command> => {
    const root = emptyRoot(definition, complain);
    for (const entry of definition.commands) {
      const command = new Command(entry.name).description(entry.description).copyInheritedSettings(root);
      if (isLoaded(entry)) (await entry.load())(command, context);
      for (const inner of command.commands) inner.copyInheritedSettings(root);
      root.addCommand(command, { hidden: entry.hidden === true });
    }
    return root;
  };
  const context: CommandContext = {
    loadAll: () => rootWith(() => true),
    onProblems: () => {
      problems = true;
    },
  };
  return {
    get flags() {
      return flags;
    },
    parse: async (args) => {
      const called = args.find((word) => word !== 'help' && !word.startsWith('-'));
      const root = await rootWith(({ name }) => name === called);
      const command = root.commands.find((known) => known.name() === called);
      flags = command?.options.flatMap(({ long }) => long ?? []) ?? [];
      await root.parseAsync(args, { from: 'user' });
      return problems;
    },
  };
}

function emptyRoot({ name, description, version, examples }: ProgramDefinition, complain: (text: string) => void) {
  return new Command(name)
    .description(description)
    .version(version, '-V, --version', 'the version')
    .helpOption('-h, --help', 'this help')
    .helpCommand('help [command]', 'Shows the help of a command.')
    .addHelpText('after', `\nStart here:\n${examples.map((example) => `  ${example}`).join('\n')}`)
    .exitOverride()
    .configureOutput({ outputError: (text) => complain(text.replace(/^error: /, '').trimEnd()) });
}

import { Argument, type Command } from 'commander';
import { methods } from '../../methods/registry.js';
import type { CommandContext } from '../program.js';
import { configurationReference } from './configuration-reference.js';

/** Columns of the help in the reference. */
const WIDTH = 110;

/** `evenhand reference`, not shown in the help: prints docs/cli.md from the commands, or docs/configuration.md from the schema. */
export function defineReference(command: Command, { loadAll }: CommandContext): Command {
  return command
    .addArgument(new Argument('[page]', 'which one').choices(['cli', 'configuration']).default('cli'))
    .action(async (page: string) => {
      process.stdout.write(page === 'cli' ? reference(await loadAll()) : configurationReference());
    });
}

function reference(root: Command): string {
  const commands = root.commands.filter((command) => !['reference', 'help'].includes(command.name()));
  const all = commands.flatMap((command) => (command.commands.length > 0 ? command.commands : [command]));
  const sections = all.map((command) => `## ${titleOf(command, root)}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\`\n`);
  return [INTRODUCTION, ...sections, methodTable()].join('\n');
}

function titleOf(command: Command, root: Command): string {
  const { parent } = command;
  return parent === null || parent === root ? command.name() : `${parent.name()} ${command.name()}`;
}

function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({
    ...command.configureOutput(),
    writeOut: (text) => {
      help += text;
    },
    getOutHelpWidth: () => WIDTH,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return help.trim();
}

function methodTable(): string {
  const rows = Object.values(methods).map(
    ({ name, title, reference: by }) => `| \`${name}\` | ${title} | ${by ?? ''} |`,
  );
  return `## Methods\n\n| method | what it does | by |\n|---|---|---|\n${rows.join('\n')}\n\n${WEIGHTS}`;
}

const WEIGHTS = `\`class-balanced\` and \`inverse-frequency\` differ on large tables. The effective number of instances, which \`class-balanced\` divides by, never
exceeds 1/(1 − β): 10,000 with the default β = 0.9999. With 396,000 rows against 4,000, the rare class has 3 times the weight with
\`class-balanced\` and 99 times with \`inverse-frequency\`. With a few hundred rows per class the two are nearly the same. Neither fits
if mistakes have known costs: \`--method class-weights --weight fraud=20\` sets the weight of one class, and leaves the others at 1.
`;

const INTRODUCTION = `# The command line

<!-- Made by \`node packages/evenhand/dist/cli/main.js reference > docs/cli.md\` from the commands; do not edit. -->

\`npx evenhand <command>\`. Results go to stdout; progress, notes and errors to stderr. With \`--json\`, stdout is one JSON
object, \`{"error": …}\` if something went wrong. Colours and progress lines appear only on a terminal; \`NO_COLOR\` turns colours off.
[Configuration](configuration.md) lists every option of a training run, including those without a flag.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | a bug in evenhand; \`--debug\` shows where |
| 2 | the command line or the data cannot be used as they are; the message says why, and nothing is left behind |
| 130, 143 | interrupted by SIGINT (Ctrl-C) or SIGTERM; a checkpoint was saved, and the message says how to continue |
`;

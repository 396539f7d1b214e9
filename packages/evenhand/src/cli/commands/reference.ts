import type { Command } from 'commander';
import { defaultText, schemaOptions } from '../../config/schema-options.js';
import { methods } from '../../methods/registry.js';
import type { CommandContext } from '../program.js';

/** Columns of the help in the reference. */
const WIDTH = 110;

/** `evenhand reference`, not shown in the help: prints docs/cli.md from the commands and the schema. */
export function defineReference(command: Command, { loadAll }: CommandContext): Command {
  return command.action(async () => {
    process.stdout.write(reference(await loadAll()));
  });
}

function reference(root: Command): string {
  const commands = root.commands.filter((command) => !['reference', 'help'].includes(command.name()));
  const all = commands.flatMap((command) => (command.commands.length > 0 ? command.commands : [command]));
  const sections = all.map((command) => `## ${titleOf(command, root)}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\`\n`);
  return [
    INTRODUCTION,
    ...sections,
    `## Options of a configuration\n\n${OPTIONS_INTRODUCTION}\n${optionTable()}`,
    methodTable(),
  ].join('\n');
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

function optionTable(): string {
  const options = schemaOptions();
  const rows = options.map((option) => {
    const section = option.path.replace(/\.[^.]*$/, '');
    const names = options.find(({ path }) => path === `${section}.name` || path === `${section}.kind`);
    const isOfSome = option !== names && option.kinds.length < (names?.kinds.length ?? 0);
    const description = isOfSome ? `${option.description} (${option.kinds.join(', ')})` : option.description;
    return `| ${[`\`${option.path}\``, description, option.values.replaceAll('|', ' \\| '), defaultText(option)].join(' | ')} |`;
  });
  return `| option | what it is | values | default |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

function methodTable(): string {
  const rows = Object.values(methods).map(
    ({ name, title, reference: by }) => `| \`${name}\` | ${title} | ${by ?? ''} |`,
  );
  return `## Methods\n\n| method | what it does | by |\n|---|---|---|\n${rows.join('\n')}\n\n${WEIGHTS}`;
}

const WEIGHTS = `\`class-balanced\` and \`inverse-frequency\` differ on large tables. The effective number of instances, which \`class-balanced\` divides by, never
exceeds 1/(1 − β): 10,000 with the default β = 0.9999. Of 396,000 rows against 4,000, the rare class weighs 3 times as much with
\`class-balanced\` and 99 times with \`inverse-frequency\`. With a few hundred rows per class the two are nearly the same. Neither fits
where mistakes have known costs: \`--method class-weights --weight fraud=20\` says how much a class weighs, and leaves the others at 1.
`;

const INTRODUCTION = `# The command line

<!-- Made by \`node packages/evenhand/dist/cli/main.js reference > docs/cli.md\` from the commands and the configuration's schema; do not edit. -->

\`npx evenhand <command>\`. Results go to stdout, progress, notes and errors to stderr. With \`--json\`, stdout is one JSON
object, \`{"error": …}\` if something went wrong. Colour and lines that change only appear on a terminal; \`NO_COLOR\` turns colour off.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | a fault of evenhand; \`--debug\` shows where |
| 2 | the words on the command line, or the data, cannot be used as they are; the message says why, and nothing is left behind |
| 130, 143 | interrupted by SIGINT (Ctrl-C) or SIGTERM; a checkpoint was saved, and the message says how to go on |
`;

const OPTIONS_INTRODUCTION = `The same names stand in a file for \`--config\`, after \`--set\`, and in the library's \`ConfigInput\`. The more common ones have
flags of their own. \`augmentation\` and \`earlyStopping\` are off unless one of their options is given; then the others have the
defaults below. A rate ε or μ that changes over epochs is JSON: \`{"kind": "warm-up", "rate": 3, "epochs": 5}\` rises to its value,
\`{"kind": "cosine", "rate": 3, "final": 0}\` falls from it.
`;

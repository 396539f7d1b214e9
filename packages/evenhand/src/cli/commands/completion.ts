import type { Command } from 'commander';
import { UserError } from '../../user-error.js';
import { addExamples } from '../options/define-command.js';
import type { CommandContext } from '../program.js';

const SHELLS = new Map<string, (commands: readonly Completed[]) => string>([
  ['bash', bash],
  ['zsh', zsh],
  ['fish', fish],
]);

/** A command's words that a shell can complete. */
interface Completed {
  readonly name: string;
  readonly description: string;
  readonly flags: readonly string[];
}

/** `evenhand completion`, which prints a script for a shell. */
export function defineCompletion(command: Command, { loadAll }: CommandContext): Command {
  return addExamples(command, [
    'completion bash >> ~/.bashrc',
    'completion zsh >> ~/.zshrc',
    'completion fish > ~/.config/fish/completions/evenhand.fish',
  ])
    .argument('<shell>', [...SHELLS.keys()].join(', '))
    .action(async (shell: string) => {
      const script = SHELLS.get(shell);
      if (script === undefined)
        throw new UserError(`there is no completion for "${shell}"; expected ${[...SHELLS.keys()].join(', ')}`);
      process.stdout.write(script(completedCommands(await loadAll())));
    });
}

function completedCommands(root: Command): Completed[] {
  const { visibleCommands } = root.createHelp();
  return visibleCommands.call(root.createHelp(), root).map((command) => ({
    name: command.name(),
    description: command.description(),
    flags: [
      ...command.commands.map((inner) => inner.name()),
      ...command.options.flatMap(({ long }) => long ?? []),
      '--help',
    ],
  }));
}

/** Words after the command's name; files where none fits. */
function bash(commands: readonly Completed[]): string {
  const cases = commands.map(({ name, flags }) => `    ${name}) words="${flags.join(' ')}" ;;`);
  return `_evenhand() {
  local words
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${commands.map(({ name }) => name).join(' ')}"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _evenhand evenhand
`;
}

function zsh(commands: readonly Completed[]): string {
  const cases = commands.map(({ name, flags }) => `    ${name}) compadd -- ${flags.join(' ')} ;;`);
  return `_evenhand() {
  if (( CURRENT == 2 )); then compadd -- ${commands.map(({ name }) => name).join(' ')}; return; fi
  case "$words[2]" in
${cases.join('\n')}
  esac
  _files
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _evenhand evenhand
`;
}

function fish(commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ name, description, flags }) => [
    `complete -c evenhand -n __fish_use_subcommand -a ${name} -d '${description.replaceAll("'", "\\'")}'`,
    ...flags.map((flag) => {
      const word = flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-a ${flag}`;
      return `complete -c evenhand -n '__fish_seen_subcommand_from ${name}' ${word}`;
    }),
  ]);
  return `${lines.join('\n')}\n`;
}

import type { Command } from 'commander';
import { SAMPLERS } from '../../sweep/samplers.js';
import { UserError } from '../../user-error.js';
import { addExamples } from '../options/define-command.js';
import { wordsOfFlags } from '../options/options-from-schema.js';
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
  /** Its own commands, or the words that its argument may be. */
  readonly words: readonly string[];
  readonly flags: readonly string[];
  /** The words that a flag may be followed by. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** Words of arguments and flags that no configuration has. */
const WORDS = new Map<string, readonly string[]>([['completion', [...SHELLS.keys()]]]);
const VALUES = new Map<string, readonly string[]>([['--sampler', SAMPLERS]]);

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
  const known = new Map([...wordsOfFlags(), ...VALUES]);
  return visibleCommands.call(root.createHelp(), root).map((command) => {
    const flags = command.options.flatMap(({ long }) => long ?? []);
    return {
      name: command.name(),
      description: command.description(),
      words: WORDS.get(command.name()) ?? command.commands.map((inner) => inner.name()),
      flags: [...flags, '--help'],
      values: new Map([...known].filter(([flag]) => flags.includes(flag))),
    };
  });
}

/** Flags with the same words, of all commands. */
function valuesOf(commands: readonly Completed[]): [flag: string, words: readonly string[]][] {
  return [...new Map(commands.flatMap(({ values }) => [...values]))];
}

/** Words after the command's name, and the values of a flag, also behind a comma; files where none fits. */
function bash(commands: readonly Completed[]): string {
  const flags = valuesOf(commands).map(([flag, words]) => `    ${flag}) values="${words.join(' ')}" ;;`);
  const cases = commands.map(({ name, words, flags }) => `    ${name}) words="${[...words, ...flags].join(' ')}" ;;`);
  return `_evenhand() {
  local words values current="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${flags.join('\n')}
  esac
  if [ -n "$values" ]; then
    COMPREPLY=($(compgen -P "\${current%"\${current##*,}"}" -W "$values" -- "\${current##*,}"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${commands.map(({ name }) => name).join(' ')}"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _evenhand evenhand
`;
}

function zsh(commands: readonly Completed[]): string {
  const flags = valuesOf(commands).map(
    ([flag, words]) => `    ${flag}) compset -P '*,'; compadd -- ${words.join(' ')}; return ;;`,
  );
  const cases = commands.map(
    ({ name, words, flags }) => `    ${name}) compadd -- ${[...words, ...flags].join(' ')} ;;`,
  );
  return `_evenhand() {
  if (( CURRENT == 2 )); then compadd -- ${commands.map(({ name }) => name).join(' ')}; return; fi
  case "$words[CURRENT-1]" in
${flags.join('\n')}
  esac
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
  const lines = commands.flatMap(({ name, description, words, flags, values }) => {
    const inCommand = `complete -c evenhand -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c evenhand -n __fish_use_subcommand -a ${name} -d '${description.replaceAll("'", "\\'")}'`,
      ...words.map((word) => `${inCommand} -a ${word}`),
      ...flags.map((flag) => {
        const choices = values.get(flag);
        return `${inCommand} -l ${flag.slice(2)}${choices === undefined ? '' : ` -xa '${choices.join(' ')}'`}`;
      }),
    ];
  });
  return `${lines.join('\n')}\n`;
}

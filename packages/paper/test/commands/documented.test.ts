import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { documentedCommands } from '../../../../test/shell-commands.js';
import { PAPER } from '../../src/program.js';

/** The scripts of package.json that call a command, and the command. */
const COMMANDS = new Set(['reproduce', 'tune', 'tables', 'budget']);

const commands = documentedCommands().flatMap(({ name, words: [program, verb, ...rest] }) => {
  const [script = '', ...words] = rest.filter((word, i) => !(word === '--silent' && i === 0));
  if (program !== 'npm' || verb !== 'run' || !COMMANDS.has(script)) return [];
  return [{ name, script, words: words.filter((word) => word !== '--'), text: [script, ...words].join(' ') }];
});

describe('documents show commands that are understood', () => {
  it('and there are some', () => expect(commands.length).toBeGreaterThan(10));

  it.each(commands)('$name: $text', async ({ script, words }) => {
    const [entry] = PAPER.commands.filter(({ name }) => name === script);
    if (entry === undefined) throw new Error(`there is no command ${script}`);
    const command = new Command(script).exitOverride().configureOutput({ writeErr: () => {} });
    (await entry.load())(command, { loadAll: async () => command, onProblems: () => {} });
    const stop = new Error('parsed');
    command.hook('preAction', () => {
      throw stop;
    });
    await expect(command.parseAsync([...words], { from: 'user' })).rejects.toBe(stop);
  });
});

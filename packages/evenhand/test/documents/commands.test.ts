import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { documentBlocks } from '../../../../test/documents.js';
import { documentedCommands } from '../../../../test/shell-commands.js';
import { EVENHAND } from '../../src/cli/evenhand.js';
import { givenConfig } from '../../src/cli/options/given-config.js';
import { parseConfig } from '../../src/config/parse.js';
import { isMethodName } from '../../src/methods/registry.js';

// Documents show commands that train for minutes, serve, or need a queue. Each is taken through everything that happens before its
// action: the words are those of the command, and the options make a configuration.

/** The command that words call, as commander understood them; its action is not carried out. */
async function called(words: readonly string[]): Promise<Command> {
  const root = new Command('evenhand').exitOverride().configureOutput({ writeErr: () => {} });
  for (const entry of EVENHAND.commands.filter(({ name }) => name === words[0])) {
    const command = new Command(entry.name).copyInheritedSettings(root);
    (await entry.load())(command, { loadAll: async () => root, onProblems: () => {} });
    for (const inner of command.commands) inner.copyInheritedSettings(root);
    root.addCommand(command);
  }
  let found: Command | undefined;
  const stop = new Error('parsed');
  root.hook('preAction', (_, command) => {
    found = command;
    throw stop;
  });
  await root.parseAsync([...words], { from: 'user' }).catch((error: unknown) => {
    if (error !== stop) throw error;
  });
  if (found === undefined) throw new Error(`no command was called by: ${words.join(' ')}`);
  return found;
}

const commands = documentedCommands().flatMap(({ name, words: [program, called = '', ...rest] }) =>
  program === 'npx' && called === 'evenhand' ? [{ name, words: rest, text: rest.join(' ') }] : [],
);

describe('documents show commands that are understood', () => {
  it.each(commands)('$name: $text', async ({ words }) => {
    if (words.every((word) => word.startsWith('-'))) return;
    const command = await called(words);
    if (!['train', 'check', 'sweep'].includes(command.name())) return;
    const { config, ...values } = command.opts<Record<string, unknown>>();
    // A sweep that goes on has its configuration; a file is a block of its own, below.
    if (config !== undefined || values.resume !== undefined) return;
    const given = await givenConfig(command.args[0], values);
    const methods = typeof values.method === 'string' ? values.method.split(',') : [undefined];
    for (const name of methods) {
      if (name !== undefined) expect(isMethodName(name), name).toBe(true);
      const own = given.method !== null && typeof given.method === 'object' ? given.method : {};
      parseConfig(name === undefined ? given : { ...given, method: { ...own, name } });
    }
  });
});

it.each(documentBlocks().filter(({ language, code }) => language === 'json' && code.includes('"data"')))(
  '$name is a configuration',
  ({ code }) => {
    expect(() => parseConfig(JSON.parse(code))).not.toThrow();
  },
);

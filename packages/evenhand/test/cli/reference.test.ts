import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { schemaOptions } from '../../src/config/schema-options.js';
import { evenhand } from './evenhand.js';

const cwd = tmpdir();

/** What docs/cli.md says. */
const reference = () => readFile(new URL('../../../../docs/cli.md', import.meta.url), 'utf8');

it('docs/cli.md is up to date: make it with "node packages/evenhand/dist/cli/main.js reference > docs/cli.md"', async () => {
  expect((await evenhand(['reference'], { cwd })).stdout).toBe(await reference());
});

it('docs/configuration.md is up to date: make it with "node packages/evenhand/dist/cli/main.js reference configuration > docs/configuration.md"', async () => {
  const page = await readFile(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8');
  expect((await evenhand(['reference', 'configuration'], { cwd })).stdout).toBe(page);
  // A heading for every option, once, whatever section it is in.
  const headings = [...page.matchAll(/^### (\S+)$/gm)].map(([, path]) => path);
  const options = schemaOptions().map(({ path }) => path);
  expect([...headings].sort()).toEqual([...options].sort());
});

describe('help', () => {
  it('of every command has an example', async () => {
    const [, ...commands] = (await reference()).split(/^## (?=[a-z])/m);
    expect(commands.length).toBeGreaterThan(10);
    for (const help of commands) expect(help).toContain('Examples:\n  npx evenhand ');
  });

  it('says by how much class-balanced and inverse-frequency weights differ on large classes', async () => {
    const { stdout } = await evenhand(['train', '--help'], { cwd });
    // The ratios are computed in methods/weights-and-priors.test.ts.
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      '396,000 against 4,000 are weighted 1 : 3, by inverse-frequency 1 : 99',
    );
  });

  it('is shown, with exit code 2, where no command was given', async () => {
    const { code, stderr } = await evenhand([], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('npx evenhand train data.csv --target class');
  });
});

describe('completion', () => {
  it('in bash completes commands and their options', async () => {
    const { stdout } = await evenhand(['completion', 'bash'], { cwd });
    const complete = (...words: string[]) => {
      const script = `${stdout}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _evenhand; echo "\${COMPREPLY[@]}"`;
      return spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.trim();
    };
    expect(complete('evenhand', 'tr')).toBe('train');
    expect(complete('evenhand', 'train', '--ep')).toBe('--epochs');
    expect(complete('evenhand', 'data', 'f')).toBe('fetch');
  });

  it('in bash completes the values of options, also the last of several', async () => {
    const { stdout } = await evenhand(['completion', 'bash'], { cwd });
    const complete = (...words: string[]) => {
      const script = `${stdout}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _evenhand; echo "\${COMPREPLY[@]}"`;
      return spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.trim();
    };
    expect(complete('evenhand', 'train', 'x.csv', '--method', 'class-b')).toBe('class-balanced');
    expect(complete('evenhand', 'train', 'x.csv', '--method', 'one-hot,class-b')).toBe('one-hot,class-balanced');
    expect(complete('evenhand', 'train', 'x.csv', '--model', 'len')).toBe('lenet5');
    expect(complete('evenhand', 'check', 'x.csv', '--missing-values', '').split(' ')).toContain('impute');
    expect(complete('evenhand', 'sweep', 'x.csv', '--sampler', 'g')).toBe('grid');
    expect(complete('evenhand', 'completion', 'z')).toBe('zsh');
    // Where a number or a file stands, the shell goes on with files.
    expect(complete('evenhand', 'train', 'x.csv', '--epochs', '1')).toBe('');
  });

  it('in zsh and fish knows the values of options', async () => {
    const zsh = (await evenhand(['completion', 'zsh'], { cwd })).stdout;
    expect(zsh).toMatch(/--method\) compset -P '\*,'; compadd -- [^\n]*\bclass-balanced\b[^\n]*; return ;;/);
    const fish = (await evenhand(['completion', 'fish'], { cwd })).stdout;
    expect(fish).toMatch(/__fish_seen_subcommand_from train' -l method -xa '[^']*\bclass-balanced\b/);
  });

  it.each(['zsh', 'fish'])('in %s knows every command', async (shell) => {
    const { stdout } = await evenhand(['completion', shell], { cwd });
    for (const name of ['check', 'train', 'resume', 'predict', 'doctor']) expect(stdout).toContain(name);
  });
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transpileModule } from 'typescript';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Runs an example of README.md as it is printed; what it says. */
function run(example: number): string {
  const readme = readFileSync(`${root}/packages/engine/README.md`, 'utf8');
  const [, code = ''] = [...readme.matchAll(/```ts\n(.*?)```/gs)][example] ?? [];
  // Below node_modules, where it finds the package under its name, as its users do.
  const folder = `${root}/node_modules/.cache/engine-readme`;
  mkdirSync(folder, { recursive: true });
  const { outputText } = transpileModule(code, { compilerOptions: { target: 9, module: 99 } });
  writeFileSync(`${folder}/example-${example}.mjs`, outputText);

  execFileSync('npx', ['tsc', '-b', 'packages/engine'], { cwd: root });
  return execFileSync(process.execPath, [`${folder}/example-${example}.mjs`], { encoding: 'utf8' });
}

it('README.md: the example trains LeNet-5 on MNIST as it is printed', () => {
  const [, right] = /([\d.]+) % of the test images right/.exec(run(0)) ?? [];
  expect(Number(right)).toBeGreaterThan(97);
});

it("README.md: a model of one's own learns a regression, and answers with numbers", () => {
  const [, loss, sine, answer] = /loss ([\d.]+); sin\(2\) is ([\d.]+), the network says ([\d.]+)/.exec(run(1)) ?? [];
  expect(Number(loss)).toBeLessThan(0.01);
  expect(Math.abs(Number(sine) - Number(answer))).toBeLessThan(0.1);
});

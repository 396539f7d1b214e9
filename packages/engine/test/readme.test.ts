import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transpileModule } from 'typescript';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

it('README.md: the example trains LeNet-5 on MNIST as it is printed', () => {
  const readme = readFileSync(`${root}/packages/engine/README.md`, 'utf8');
  const [, example = ''] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  // Below node_modules, where it finds the package under its name, as its users do.
  const folder = `${root}/node_modules/.cache/engine-readme`;
  mkdirSync(folder, { recursive: true });
  const { outputText } = transpileModule(example, { compilerOptions: { target: 9, module: 99 } });
  writeFileSync(`${folder}/example.mjs`, outputText);

  execFileSync('npx', ['tsc', '-b', 'packages/engine'], { cwd: root });
  const output = execFileSync(process.execPath, [`${folder}/example.mjs`], { encoding: 'utf8' });
  const [, right] = /([\d.]+) % of the test images right/.exec(output) ?? [];
  expect(Number(right)).toBeGreaterThan(97);
});

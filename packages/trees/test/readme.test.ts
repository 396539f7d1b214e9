import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transpileModule } from 'typescript';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

it('README.md: the example learns, as it is printed', () => {
  const readme = readFileSync(`${root}/packages/trees/README.md`, 'utf8');
  const [, code = ''] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  // Below node_modules, where it finds the package under its name, as its users do.
  const folder = `${root}/node_modules/.cache/trees-readme`;
  mkdirSync(folder, { recursive: true });
  const { outputText } = transpileModule(code, { compilerOptions: { target: 9, module: 99 } });
  writeFileSync(`${folder}/example.mjs`, outputText);
  const said = execFileSync(process.execPath, [`${folder}/example.mjs`], { encoding: 'utf8' });
  expect(Number(/([\d.]+) % right/.exec(said)?.[1])).toBeGreaterThan(95);
});

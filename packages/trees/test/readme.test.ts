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

/** What `bench/src/trees-quality.ts` wrote of a fold. */
interface Compared {
  readonly table: string;
  readonly ours: Measures;
  readonly scikitLearn: Measures;
}

interface Measures {
  readonly balancedAccuracy: number;
  readonly logLoss: number;
  readonly rocAuc: number;
}

it('README.md: compares with scikit-learn by the stored results', () => {
  const folds: Compared[] = JSON.parse(readFileSync(`${root}/results/trees/scikit-learn.json`, 'utf8'));
  const readme = readFileSync(`${root}/packages/trees/README.md`, 'utf8');
  for (const table of new Set(folds.map((fold) => fold.table))) {
    const own = folds.filter((fold) => fold.table === table);
    const pair = (measure: keyof Measures, text: (value: number) => string) =>
      (['ours', 'scikitLearn'] as const)
        .map((side) => text(own.reduce((sum, fold) => sum + fold[side][measure], 0) / own.length))
        .join(' / ');
    const percent = (value: number) => (100 * value).toFixed(1);
    const numbers = [pair('balancedAccuracy', percent), pair('logLoss', (v) => v.toFixed(3)), pair('rocAuc', percent)];
    expect(readme).toContain(`| ${table} | ${own.length} | ${numbers.join(' | ')} |`);
  }
});

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transpileModule } from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DocumentBlock, documentBlocks } from '../../../../test/documents.js';
import { openModel, train } from '../../src/index.js';
import { NO_PYTHON, runPython } from './python.js';

// The programs that documents show beside the first of each README, run as they are printed, on a small table and a small model.

/** Below node_modules, where a program finds the packages by their names, as its users do. */
const cache = fileURLToPath(new URL('../../../../node_modules/.cache/', import.meta.url));
let folder: string;

beforeAll(async () => {
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, 'documents-'));
  const rows = Array.from({ length: 60 }, (_, i) => {
    const isFraud = i % 6 === 0;
    return [(isFraud ? 200 : 20) + ((i * 7) % 13), ['NO', 'SE'][i % 2], isFraud ? 3 : 14, isFraud ? 'fraud' : 'fine'];
  });
  const file = (name: string, header: string, lines: readonly (readonly unknown[])[]) =>
    writeFileSync(join(folder, name), [header, ...lines.map((line) => line.join(','))].join('\n'));
  file('fraud.csv', 'amount,country,hour,class', rows);
  file('new-parts.csv', 'width,weight', [[11.2, 4.1]]);
  file(
    'parts.csv',
    'width,weight,state',
    rows.map(([width, , weight, state]) => [width, weight, state]),
  );
  const model = { name: 'mlp' as const, hidden: [8] };
  for (const [run, source, target] of [
    ['fraud', 'fraud.csv', 'class'],
    ['first', 'parts.csv', 'state'],
  ] as const) {
    const runFolder = join(folder, 'runs', run);
    await train({ model, epochs: 2, data: { source: join(folder, source), target } }, { folder: runFolder });
  }
  cpSync(join(folder, 'runs/fraud/model.onnx'), join(folder, 'model.onnx'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The program of a document that has this text in it. */
function blockOf(path: string, text: string): DocumentBlock {
  const found = documentBlocks().filter(
    (block) => block.path === path && ['ts', 'js', 'python'].includes(block.language) && block.code.includes(text),
  );
  const [block] = found;
  if (block === undefined || found.length > 1) throw new Error(`${path} has ${found.length} programs with "${text}"`);
  return block;
}

/** What a program prints. */
function run(code: string): string {
  const program = join(folder, 'program.mjs');
  writeFileSync(program, transpileModule(code, { compilerOptions: { target: 9, module: 99 } }).outputText);
  return execFileSync(process.execPath, [program], { cwd: folder, encoding: 'utf8' });
}

it('docs/learner.md: what the columns are worth', () => {
  const printed = run(blockOf('docs/learner.md', 'importance()').code).trim().split('\n');
  expect(printed.map((line) => line.split(' ')[0]).sort()).toEqual(['amount', 'country', 'hour']);
});

it('docs/runs.md: reading a run', () => {
  expect(run(blockOf('docs/runs.md', 'openRun').code)).toMatch(/value: [0-9.]+/);
});

it('docs/runs.md: many runs', () => {
  const printed = run(blockOf('docs/runs.md', 'trainAll').code).trim().split('\n');
  expect(printed).toEqual([0, 1, 2].map((seed) => `${join('runs', 'seeds', `seed-${seed}`)} done`));
});

it('docs/rates.md: an encoder with automatic rates', () => {
  expect(run(`${blockOf('docs/rates.md', 'EnhancementEncoder').code}\nconsole.log(encoder.epoch);`).trim()).toBe('0');
});

it('docs/browser.md: a prediction, with the Node version of ONNX Runtime', () => {
  const { code } = blockOf('docs/browser.md', 'onnxruntime-web');
  expect(run(code.replace('onnxruntime-web', 'onnxruntime-node'))).toMatch(/^(fraud|fine) Float32Array\(2\)/);
});

it('docs/streams.md: a learner in a program', () => {
  const { code } = blockOf('docs/streams.md', 'StreamLearner.create');
  const [first = '', ...rest] = code.split(/^(?=const columns)/m);
  const rows = `const rows = Array.from({ length: 200 }, (_, i) => ({ amount: i % 9, class: i % 5 === 0 ? 'fraud' : 'fine' }));
const firstRows = rows.slice(0, 100);\n`;
  expect(run(`${first}${rows}${rest.join('')}\nconsole.log(bytes.length > 0);`)).toMatch(/\ntrue\n$/);
});

it('packages/evenhand/README.md: predicting', () => {
  const { code } = blockOf('packages/evenhand/README.md', 'predictFile');
  expect(run(`${code}\nconsole.log(labels.length, states.length, probabilities.length);`).trim()).toBe('1 2 2');
});

it('docs/python.md: a prediction is that of Evenhand', async ({ skip }) => {
  skip(NO_PYTHON !== undefined, NO_PYTHON);
  const block = blockOf('docs/python.md', 'session.run');
  const [model = ''] = /runs\/[\w-]+/.exec(block.code) ?? [];
  cpSync(join(folder, 'runs/fraud'), join(folder, model), { recursive: true });
  const print = 'import json\nprint(json.dumps([label.tolist(), probabilities.tolist()]))';
  const [labels, [probabilities]] = JSON.parse(runPython(`${block.code}\n${print}`, folder));
  const here = await openModel(join(folder, 'model.onnx'));
  const expected = await here.predictRows([{ amount: 129.5, country: 'NO', hour: 3 }]);
  await here.close();
  expect(labels).toEqual(expected.labels);
  for (const [i, value] of Array.from(expected.probabilities).entries()) expect(probabilities[i]).toBeCloseTo(value, 5);
});

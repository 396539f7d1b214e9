import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openModel } from '../../src/index.js';
import type { ModelServer } from '../../src/serve/server.js';
import { modelFiles, startServer, tableModel } from './models.js';

const TOKEN = 'a token of the tests';
const CSV = 'age,member,city,since\n42,yes,Oslo,2020-05-01\n17,no,Rome,\n';
const ROWS = [
  { age: 42, member: true, city: 'Oslo', since: '2020-05-01' },
  { age: 17, member: false, city: 'Rome' },
];
const file = modelFiles({
  'table.onnx': tableModel,
  'rows.csv': () => Buffer.from(CSV),
  'rows.json': () => Buffer.from(JSON.stringify(ROWS)),
});
const run = promisify(execFile);
const options = { env: { ...process.env, EVENHAND_TOKEN: TOKEN } };

function example(name: string): string {
  return fileURLToPath(new URL(`../../../../examples/${name}`, import.meta.url));
}

describe('the clients in examples', () => {
  let server: ModelServer;
  let labels: readonly string[];
  beforeAll(async () => {
    server = await startServer(file('table.onnx'), { token: TOKEN });
    const model = await openModel(file('table.onnx'));
    ({ labels } = await model.predictRows(ROWS.map((row) => ({ since: null, ...row }))));
    await model.close();
  });
  afterAll(() => server.drain());

  it('predict-over-http.ts prints the class of every row', async () => {
    const source = await readFile(example('predict-over-http.ts'), 'utf8');
    const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
    await writeFile(file('client.mjs'), ts.transpileModule(source, { compilerOptions }).outputText);
    const { stdout, stderr } = await run(
      process.execPath,
      [file('client.mjs'), server.address, file('rows.json')],
      options,
    );
    expect(stdout.match(/^\S+(?= \{)/gm)).toEqual(labels);
    expect(stderr).toContain('Column "since" has missing values: 1 of 2.');
  });

  it('predict-over-http.sh prints the answers as CSV', async ({ skip }) => {
    const curl = await run('curl', ['--version']).catch(() => undefined);
    if (curl === undefined) return skip('there is no curl: install it');
    const { stdout } = await run('sh', [example('predict-over-http.sh'), server.address, file('rows.csv')], options);
    const [header, ...lines] = stdout.trimEnd().split('\n');
    expect(header).toMatch(/^predicted,probability of low,/);
    expect(lines.map((line) => line.split(',')[0]?.replace(/^'/, ''))).toEqual(labels);
  });
});

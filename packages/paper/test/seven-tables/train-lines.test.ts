import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestEvaluation } from 'evenhand';
import { parseConfig } from 'evenhand/config';
import { expect, it } from 'vitest';
import { type PlannedLine, trainLines } from '../../src/seven-tables/train-lines.js';
import { tableConfig, writeTable } from '../small-data.js';
import { temporaryFolder } from '../temporary-folder.js';

/** A line of a run for each seed. */
function lineOf(name: string, source: string, seeds: readonly number[]): PlannedLine {
  const key = { name, seeds };
  return {
    key,
    trials: seeds.map((seed) => ({
      key: join(name, String(seed)),
      config: parseConfig(tableConfig(source, { seed })),
    })),
    measured: (evaluations: readonly TestEvaluation[]) => ({
      accuracies: evaluations.map(({ report }) => report.accuracy),
    }),
  };
}

async function linesOf(file: string): Promise<unknown[]> {
  return (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

it('writes a line when all of its runs are complete, and trains none of it again', async () => {
  const folder = await temporaryFolder();
  const source = await writeTable(folder);
  const file = join(folder, 'results', 'lines.jsonl');
  const said: string[] = [];
  const options = { folder: join(folder, 'runs'), processes: 2, onProgress: (text: string) => said.push(text) };
  const planned = [lineOf('two runs', source, [0, 1])];
  await trainLines(file, planned, options);
  const [line] = await linesOf(file);
  const accuracies = await Promise.all(
    [0, 1].map(async (seed) => {
      const evaluation = await readFile(join(folder, 'runs', 'two runs', String(seed), 'evaluation.json'), 'utf8');
      return JSON.parse(evaluation).report.accuracy;
    }),
  );
  expect(line).toEqual({ name: 'two runs', seeds: [0, 1], accuracies });
  await trainLines(file, [...planned, lineOf('another', source, [2])], options);
  expect(said).toContain(`${file}: 1 of 2 lines are missing`);
  expect((await linesOf(file)).slice(0, 1)).toEqual([line]);
  expect(await linesOf(file)).toHaveLength(2);
});

it('has no line of what cannot be trained, all others, and complains in the end', async () => {
  const folder = await temporaryFolder();
  const source = await writeTable(folder);
  const file = join(folder, 'lines.jsonl');
  const said: string[] = [];
  const planned = [lineOf('lost', join(folder, 'nowhere.csv'), [0]), lineOf('good', source, [0])];
  const options = { folder: join(folder, 'runs'), processes: 1, onProgress: (text: string) => said.push(text) };
  await expect(trainLines(file, planned, options)).rejects.toThrow(
    '1 of 2 runs have no result, see above; the same command tries them again',
  );
  expect(said.join('\n')).toContain(`${join('lost', '0')} has no result: `);
  expect(await linesOf(file)).toMatchObject([{ name: 'good' }]);
});

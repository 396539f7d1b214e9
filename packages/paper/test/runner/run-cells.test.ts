import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { classificationReport } from '@evenhand/encoding';
import { codeVersion } from 'evenhand';
import { writeReport } from 'evenhand/report';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCellLines, readCellResult } from '../../src/results/cell-result.js';
import { type Cell, cellFolder } from '../../src/tables/cells.js';
import { writeTable } from '../small-data.js';
import { temporaryFolder } from '../temporary-folder.js';
import { placesIn, runToEnd, smallCells, startRunner } from './small-cells.js';

describe('when all cells are finished', () => {
  let folder = '';
  let cells: readonly Cell[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenhand-cells-'));
    cells = smallCells(await writeTable(folder));
    expect(await runToEnd(cells, placesIn(folder))).toContain('complete 2 0');
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('each has a line that its run folder bears out', async () => {
    const { runs, results } = placesIn(folder);
    const { results: lines } = await readCellLines(results);
    expect(lines).toHaveLength(cells.length);
    for (const cell of cells) {
      const run = cellFolder(runs, cell);
      const { names, labels, probabilities } = await outputsOf(run);
      const report = classificationReport(labels, probabilities, { classes: names });
      const line = lines.find(({ configHash }) => configHash === cell.configHash);
      const code = await codeVersion();
      expect(line).toEqual(await readCellResult(run, cell, code));
      expect(line?.code).toEqual(code);
      expect(line?.top1).toBe(report.accuracy);
      expect(line?.recall).toEqual(report.perClass.map(({ recall }) => recall.value));
      expect(line?.minority).toBeNull(); // the paper has none for MNIST
      expect(line?.config).toEqual(cell.config);
      // A row of the soft-confusion matrix is the mean of the outputs for a class.
      const ofFirst = probabilities.filter((_, k) => k % 3 === 1 && labels[Math.floor(k / 3)] === 0);
      const mean = ofFirst.reduce((sum, share) => sum + share, 0) / ofFirst.length;
      expect(line?.softConfusion?.[0]?.[1]).toBeCloseTo(mean, 5);
    }
  });

  it('their checkpoints are gone, and their runs can still be reported on', async () => {
    for (const cell of cells) {
      const run = cellFolder(placesIn(folder).runs, cell);
      expect(await readdir(run)).not.toContain('checkpoints');
      expect(existsSync(await writeReport(run))).toBe(true);
    }
  });

  it('fault 16: none is repeated, and a torn last line is written again from the run folder', async () => {
    const { results } = placesIn(folder);
    const whole = await readFile(results, 'utf8');
    await writeFile(results, whole.slice(0, -40));
    const again = await runToEnd(cells, placesIn(folder));
    expect(again).toContain('#1 found');
    expect(again).not.toContain('progress');
    expect(await readFile(results, 'utf8')).toBe(whole);
  });

  it('a line that is damaged is named, with what to do', async () => {
    const damaged = join(folder, 'damaged.jsonl');
    await writeFile(damaged, `${await readFile(placesIn(folder).results, 'utf8')}{"table":"table9"}\n`);
    await expect(readCellLines(damaged)).rejects.toThrow(
      `${damaged}: line 3 is not a result of this version of evenhand: table is "table9"; expected table1, table2, table3 or transformers. ` +
        'Remove the line, and its cell is read from its run folder again, or trained again',
    );
  });

  it('fault 8: another configuration is refused with the difference, before anything is trained', async () => {
    const output = await runToEnd(smallCells(join(folder, 'table.csv'), { epochs: 4, seeds: 2 }), placesIn(folder));
    const first = join(folder, 'runs', 'long-tail', 'ce', 'one-hot', '0');
    expect(output).toContain(
      `refused: 2 run folders hold runs of another configuration: ${first} (epochs 3 there, 4 now)`,
    );
    expect(output).not.toContain('begun');
  });
});

/** Classes, labels and `[instances, classes]` probabilities in a `predictions.csv` without quotes. */
async function outputsOf(run: string) {
  const [header = [], ...rows] = (await readFile(join(run, 'predictions.csv'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  const names = header.slice(3).map((title) => title.replace(/^probability of /, ''));
  const labels = rows.map(([, name = '']) => names.indexOf(name.replace(/^'/, '')));
  return { names, labels, probabilities: rows.flatMap((row) => row.slice(3).map(Number)) };
}

it('fault 14: a cell that diverges is reported, has a line without numbers and is not trained again; the others have theirs', async () => {
  const folder = await temporaryFolder();
  const source = await writeTable(folder);
  const [good] = smallCells(source);
  const [, hopeless] = smallCells(source, { learningRate: 1e38 });
  const cells = hopeless && good ? [hopeless, good] : [];
  const output = await runToEnd(cells, placesIn(folder));
  expect(output).toContain('diverged enhancement 0');
  expect(output).toContain('complete 1 1');
  const { results, diverged } = await readCellLines(placesIn(folder).results);
  expect(results.map(({ method }) => method)).toEqual(['one-hot']);
  expect(diverged).toEqual([{ ...hopeless, diverged: expect.stringContaining('diverge'), code: await codeVersion() }]);
  const again = await runToEnd(cells, placesIn(folder));
  expect(again).not.toContain('begun');
  expect(again).toContain('complete 1 1');
});

it('a cell that cannot be trained is reported, has no line, is tried again, and stops no other', async () => {
  const folder = await temporaryFolder();
  const [good] = smallCells(await writeTable(folder));
  const [, lost] = smallCells(join(folder, 'nowhere.csv'));
  const cells = lost && good ? [lost, good] : [];
  for (const left of ['begun one-hot', 'found one-hot']) {
    const output = await runToEnd(cells, placesIn(folder));
    expect(output).toContain(left);
    expect(output).toContain('begun enhancement 0');
    expect(output).toContain('failed enhancement 0');
    expect(output).toContain('complete 1 1');
  }
  const { results, diverged } = await readCellLines(placesIn(folder).results);
  expect(results.map(({ method }) => method)).toEqual(['one-hot']);
  expect(diverged).toEqual([]);
});

it.each(['runs', 'results'] as const)(
  'faults 13 and 40: a second runner with the same %s is refused while the first is at it, and may come later',
  async (shared) => {
    const folder = await temporaryFolder();
    const cells = smallCells(await writeTable(folder), { epochs: 500 });
    const own = placesIn(folder);
    const first = startRunner(cells, own);
    await first.said('begun');
    const others = { ...placesIn(join(folder, 'other')), [shared]: own[shared] };
    expect(await runToEnd(cells, others)).toContain(`refused: ${own[shared]} is in use by process ${first.pid}`);
    first.kill('SIGKILL');
    await first.ended();
    const quick = smallCells(join(folder, 'table.csv'));
    const later = await runToEnd(quick, { ...others, runs: join(folder, 'third') });
    expect(later).toContain('complete 2 0');
    expect(existsSync(`${others.results}.lock`)).toBe(false);
  },
);

it('when asked to stop, cells are left at a checkpoint and go on from there', async () => {
  const folder = await temporaryFolder();
  const cells = smallCells(await writeTable(folder), { epochs: 40 });
  const runner = startRunner(cells, placesIn(folder));
  await runner.said('progress one-hot 0 2');
  runner.tell('stop');
  const { stdout: output } = await runner.ended();
  expect(output).toContain('refused: told to stop');
  const reached = Number(output.match(/progress one-hot 0 (\d+)(?![\s\S]*progress one-hot)/)?.[1]);
  const again = await runToEnd(cells, placesIn(folder));
  expect(again).toContain(`progress one-hot 0 ${reached + 1}\n`);
  expect(again).not.toContain(`progress one-hot 0 ${reached}\n`);
  expect(again).toContain('complete 2 0');
});

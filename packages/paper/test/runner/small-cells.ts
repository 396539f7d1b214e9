import { join } from 'node:path';
import { configHash, parseConfig } from 'evenhand/config';
import type { CellResult } from '../../src/results/cell-result.js';
import { type Cell, type CellKey, cellOf } from '../../src/tables/cells.js';
import { type Child, runScript, startScript } from '../child-process.js';
import { tableConfig } from '../small-data.js';

/** Cells with the names of a real table that train in a moment: a perceptron on a small CSV file. */
export function smallCells(
  source: string,
  { seeds = 1, epochs = 3, learningRate = 0.01 }: { seeds?: number; epochs?: number; learningRate?: number } = {},
): Cell[] {
  return Array.from({ length: seeds }, (_, seed) => seed).flatMap((seed) =>
    (['one-hot', 'enhancement'] as const).map((method) => {
      const optimizer = { name: 'adamw', learningRate } as const;
      const config = parseConfig(tableConfig(source, { method: { name: method }, seed, epochs, optimizer }));
      const key: CellKey = {
        table: 'table1',
        scale: 'paper',
        setting: 'long-tail',
        loss: 'ce',
        method,
        seed,
        subset: 0,
      };
      return { ...key, config, configHash: configHash(config) };
    }),
  );
}

/** Runs cells as the command does, and says every event in a line with its number. Stops at a checkpoint when it is told anything. */
const RUNNER = `
  import { once } from 'node:events';
  import { writeSync } from 'node:fs';
  import { runCells } from '@evenhand/paper';
  const [cells, runs, results, processes] = process.argv.slice(1);
  const stop = new AbortController();
  let events = 0;
  once(process.stdin, 'data').then(() => stop.abort(new Error('told to stop')));
  try {
    const { failed, results: found } = await runCells({
      cells: JSON.parse(cells), runs, results, processes: Number(processes), signal: stop.signal,
      onEvent: ({ kind, cell, epoch }) =>
        writeSync(1, ['#' + ++events, kind, cell.method, cell.seed, epoch].join(' ').trim() + '\\n'),
    });
    writeSync(1, 'complete ' + found.length + ' ' + failed.length + '\\n');
  } catch (error) {
    writeSync(1, 'refused: ' + error.message + '\\n');
  }
  process.stdin.destroy();
`;

/** Where a runner leaves things. */
interface Places {
  readonly runs: string;
  readonly results: string;
}

/** Where a runner in a folder leaves things. */
export function placesIn(folder: string): Places {
  return { runs: join(folder, 'runs'), results: join(folder, 'results', 'table1.jsonl') };
}

/** Starts a runner in a process of its own. */
export function startRunner(cells: readonly Cell[], places: Places, processes = 2): Child {
  return startScript(RUNNER, wordsOf(cells, places, processes));
}

/** Runs cells to the end. */
export async function runToEnd(cells: readonly Cell[], places: Places): Promise<string> {
  const { stdout, stderr } = await runScript(RUNNER, wordsOf(cells, places, 2));
  return `${stdout}${stderr}`;
}

function wordsOf(cells: readonly Cell[], { runs, results }: Places, processes: number): string[] {
  return [JSON.stringify(cells), runs, results, String(processes)];
}

/** A result of a real cell with these numbers. */
export function resultWith(key: Partial<CellKey>, numbers: Partial<CellResult> = {}): CellResult {
  const cell = cellOf({
    table: 'table1',
    scale: 'paper',
    setting: 'long-tail',
    loss: 'ce',
    method: 'one-hot',
    seed: 0,
    subset: 0,
    ...key,
  });
  return {
    ...cell,
    top1: 0.9,
    top5: 0.99,
    minority: cell.table === 'table1' ? null : 0.5,
    recall: [1, 0.8],
    trainingCounts: [10, 5],
    softConfusion: null,
    validation: { softAccuracy: 0.8, accuracy: 0.85 },
    epochs: cell.config.epochs,
    environment: { evenhand: '1', node: '20', onnxruntime: '1', cpu: 'a processor', threads: 1 },
    ...numbers,
  };
}

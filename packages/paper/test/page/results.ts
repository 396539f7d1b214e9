import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { train } from 'evenhand';
import type { CellResult } from '../../src/results/cell-result.js';
import { resultsFile, runsFolder } from '../../src/results/layout.js';
import { type CellKey, cellFolder, cellOf, cellsOf } from '../../src/tables/cells.js';
import { PAPER_METHODS } from '../../src/tables/tables.js';
import { tableConfig } from '../small-data.js';

/** A folder for the files of one test; removed by whoever asked for it. */
export function pageFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'evenhand-reproduction-'));
}

/** Training images of CIFAR-10-LT without the validation images. */
const CIFAR10_LT = [4995, 2992, 1791, 1072, 640, 382, 227, 134, 78, 45];
export const LONG_TAIL = [5918, 3366, 1485, 762, 361, 165, 88, 44, 18, 7];

export const LONG_TAIL_CE = { table: 'table1', scale: 'paper', setting: 'long-tail', loss: 'ce' } as const;
export const CIFAR_CE = { table: 'table2', scale: 'cpu', setting: 'cifar10-lt', loss: 'ce' } as const;

/** A matrix with this on its diagonal; what is missing to 1 goes to class 0, and from class 0 to class 1. */
export function softConfusion(diagonal: readonly number[]): number[][] {
  return diagonal.map((own, p) =>
    diagonal.map((_, q) => (q === p ? own : q === (p === 0 ? 1 : 0) ? Number((1 - own).toFixed(5)) : 0)),
  );
}

/** A line of results, with the configuration that the cell has at present. */
export function resultLine(
  key: Pick<CellKey, 'table' | 'scale' | 'setting' | 'loss' | 'method'> & Partial<CellKey>,
  values: Partial<CellResult> = {},
): CellResult {
  const { config, configHash, ...full } = cellOf({ seed: 0, subset: 0, ...key });
  const hasMinority = key.table !== 'table1';
  return {
    ...full,
    top1: 0.5,
    top5: 0.9,
    minority: hasMinority ? 0.4 : null,
    recall: new Array<number>(10).fill(0.5),
    trainingCounts: key.setting === 'cifar10-lt' ? CIFAR10_LT : LONG_TAIL,
    softConfusion: softConfusion(new Array<number>(10).fill(0.5)),
    validation: { softAccuracy: 0.5, accuracy: 0.5 },
    epochs: config.epochs,
    configHash,
    config,
    environment: { evenhand: '0.1.0', node: '20.20.2', onnxruntime: '1.30.0', cpu: 'Test CPU', threads: 1 },
    code: { gitCommit: 'c0ffee', engine: 'bbbb' },
    ...values,
  };
}

/** One-hot and enhancement of the long tail, in per cent by seed. */
export function longTail(oneHot: readonly number[], enhancement: readonly number[]): CellResult[] {
  return bothMethods('long-tail', oneHot, enhancement);
}

/** The same of the even classes. */
export function evenClasses(oneHot: readonly number[], enhancement: readonly number[]): CellResult[] {
  return bothMethods('even', oneHot, enhancement);
}

function bothMethods(
  setting: 'long-tail' | 'even',
  oneHot: readonly number[],
  enhancement: readonly number[],
): CellResult[] {
  const lines = (method: 'one-hot' | 'enhancement', values: readonly number[]) =>
    values.map((top1, seed) => resultLine({ ...LONG_TAIL_CE, setting, method, seed }, { top1: top1 / 100 }));
  return [...lines('one-hot', oneHot), ...lines('enhancement', enhancement)];
}

/** Everything that is planned of the paper's methods in Table 2, with these numbers. */
export function wholeTable2(valuesOf: (key: CellKey) => Partial<CellResult>): CellResult[] {
  return cellsOf({ table: 'table2', scale: 'cpu' })
    .filter(({ method }) => PAPER_METHODS.some((name) => name === method))
    .map(({ config: _, configHash: __, ...key }) => resultLine(key, valuesOf(key)));
}

/** Writes lines into the files that they belong to. */
export async function writeResults(folder: string, lines: readonly CellResult[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  const files = new Map<string, CellResult[]>();
  for (const line of lines) {
    const file = resultsFile({ results: folder }, { table: line.table, scale: line.scale });
    files.set(file, [...(files.get(file) ?? []), line]);
  }
  for (const [file, own] of files) await writeFile(file, own.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** Writes lines of tuning. */
export async function writeTuning(folder: string, lines: readonly unknown[]): Promise<void> {
  await mkdir(join(folder, 'tuning'), { recursive: true });
  await writeFile(join(folder, 'tuning', 'a.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** Makes a run folder that holds the outcome of a small run as if it were that of a cell. */
export async function writeCellRun(runs: string, line: CellResult, source: string): Promise<string> {
  const folder = cellFolder(runsFolder({ folder: runs }, { table: line.table, scale: line.scale }), line);
  await mkdir(dirname(folder), { recursive: true });
  await train(tableConfig(source), { folder });
  await writeFile(join(folder, 'config.json'), JSON.stringify(line.config));
  return folder;
}

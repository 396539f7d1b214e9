import { existsSync } from 'node:fs';
import { openRun } from 'evenhand';
import { configHash } from 'evenhand/config';
import { isRun } from 'evenhand/files';
import type { Html } from 'evenhand/report';
import { embeddingChart, logProbabilities, stratifiedSample, tsne } from 'evenhand/report';
import { at } from '../checked-access.js';
import type { CellResult } from '../results/cell-result.js';
import { runsFolder } from '../results/layout.js';
import { cellFolder } from '../tables/cells.js';
import type { SettingName } from '../tables/tables.js';
import { rarestFirst } from './chart-classes.js';
import { withinGroupScatter } from './concentration.js';
import { type ResultRow, type ResultTable, tableCells } from './results.js';

/** The methods whose outputs the paper shows. */
export const MAPPED_METHODS = ['one-hot', 'enhancement'] as const;
type MappedMethod = (typeof MAPPED_METHODS)[number];

/** What the paper's figures are about, and the same for MNIST: cross-entropy on these. */
const ILLUSTRATED: readonly SettingName[] = ['cifar10-lt', 'long-tail'];

const MOST_POINTS = 1500;

/** The test outputs of a method in the plane, and how concentrated equal predictions are. */
interface OutputMap {
  readonly chart: Html;
  readonly seed: number;
  readonly shown: number;
  readonly all: number;
  /** {@link withinGroupScatter} by predicted class: of the probabilities of all test instances, seed by seed; */
  readonly outputScatters: readonly number[];
  /** of the points of the map. */
  readonly mapScatter: number;
}

/** The maps of a row. */
export interface RowMaps {
  readonly table: ResultTable;
  readonly row: ResultRow;
  /** Seeds of which both methods have a run folder. */
  readonly seeds: number;
  /** Undefined where there is no such seed. */
  readonly maps: Readonly<Record<MappedMethod, OutputMap>> | undefined;
}

/** Whether the figures show a row. */
export function isIllustrated({ setting, loss }: ResultRow): boolean {
  return loss === 'ce' && ILLUSTRATED.includes(setting.name);
}

/**
 * Maps the test outputs of the rows that are illustrated, with and without enhancement.
 *
 * @param runs - the folder of the run folders; what is not there is left out
 */
export async function readMaps(tables: readonly ResultTable[], runs: string | undefined): Promise<RowMaps[]> {
  const rows = tables.flatMap((table) => table.rows.filter(isIllustrated).map((row) => ({ table, row })));
  return Promise.all(
    rows.map(async ({ table, row }) => {
      const pairs =
        runs === undefined
          ? []
          : await readPairs(runsFolder({ folder: runs }, { table: table.name, scale: table.scale }), row);
      const maps =
        pairs.length === 0
          ? undefined
          : { 'one-hot': mapOf(pairs, 'one-hot'), enhancement: mapOf(pairs, 'enhancement') };
      return { table, row, seeds: pairs.length, maps };
    }),
  );
}

interface TestOutputs {
  readonly cell: CellResult;
  readonly classNames: readonly string[];
  readonly trainingCounts: readonly number[];
  readonly labels: Int32Array;
  readonly answers: Int32Array;
  readonly probabilities: Float64Array;
}

type OutputPair = Readonly<Record<MappedMethod, TestOutputs>>;

async function readPairs(runs: string, row: ResultRow): Promise<OutputPair[]> {
  const enhanced = new Map(tableCells(row, 'enhancement').map((cell) => [cell.seed, cell]));
  const pairs: OutputPair[] = [];
  for (const cell of tableCells(row, 'one-hot')) {
    const other = enhanced.get(cell.seed);
    if (other === undefined) continue;
    const [oneHot, enhancement] = [await readOutputs(runs, cell), await readOutputs(runs, other)];
    if (oneHot !== undefined && enhancement !== undefined) pairs.push({ 'one-hot': oneHot, enhancement });
  }
  return pairs;
}

/** Undefined if the cell has no complete run folder here, or one of another configuration. */
async function readOutputs(runs: string, cell: CellResult): Promise<TestOutputs | undefined> {
  const folder = cellFolder(runs, cell);
  if (!isRun(folder)) return undefined;
  const run = await openRun(folder);
  if (configHash(run.config) !== cell.configHash || !existsSync(run.predictionsFile)) return undefined;
  const { names, counts } = await run.classes();
  return { cell, classNames: names, trainingCounts: counts.training, ...(await run.predictions()) };
}

/** The first seed is drawn; the outputs of all are measured. */
function mapOf(pairs: readonly OutputPair[], method: MappedMethod): OutputMap {
  const [first] = pairs;
  if (first === undefined) throw new Error('internal: a map of nothing');
  const { cell, classNames, trainingCounts, labels, answers, probabilities } = first[method];
  const classes = classNames.length;
  const sample = stratifiedSample(labels, classes, MOST_POINTS, 0);
  const predicted = Int32Array.from(sample, (i) => at(answers, i));
  const embedding = tsne(logProbabilities(probabilities, sample, classes), sample.length, 0);
  const chartClasses = {
    classNames,
    classOrder: rarestFirst(trainingCounts).reverse(),
    minority: new Set<number>(),
  };
  return {
    chart: embeddingChart(chartClasses, embedding, predicted, 'predicted'),
    seed: cell.seed,
    shown: sample.length,
    all: labels.length,
    outputScatters: pairs.map((pair) => withinGroupScatter(pair[method].probabilities, pair[method].answers)),
    mapScatter: withinGroupScatter(embedding, predicted),
  };
}

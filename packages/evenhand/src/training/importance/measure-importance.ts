import { seededRandom } from '@evenhand/engine';
import { at, float64At, int32At } from '../../checked-access.js';
import type { Config } from '../../config/schema.js';
import { hasTooManyClasses } from '../../dataset/many-classes.js';
import { balancedLosses } from '../../evaluation/balanced-log-loss.js';
import { balancedMean, classedRows } from '../../evaluation/balanced-mean.js';
import {
  columnImportance,
  type RowChanges,
  type RowResults,
  recallDrops,
  rowChanges,
} from '../../evaluation/column-importance.js';
import { columnPositions } from '../../preprocessing/table-features.js';
import type { ImportanceReport } from '../../runs/importance-file.js';
import { keptTogether } from '../../splits/split-dataset.js';
import type { TrainingListener } from '../events.js';
import type { TableInstances } from '../instances.js';
import type { Learner } from '../learners/learner.js';
import { splitOptions, type TrainingSetup } from '../set-up.js';
import type { TrainedNetwork } from '../trained-network.js';
import { donorDrawer } from './donors.js';
import { drawnEvenly, effortFor } from './effort.js';
import { type PermutedRows, permutedRows } from './permuted-rows.js';

/** Columns whose importance is told for each class. */
const PER_CLASS_COLUMNS = 20;

/** A model of a table, and rows that it has not learned from. */
export interface ImportanceContext {
  readonly config: Config;
  readonly setup: Pick<TrainingSetup, 'dataset' | 'split'>;
  readonly instances: TableInstances;
  readonly networks: readonly TrainedNetwork[];
  /** The probabilities that are given, from what the networks say. */
  probabilities(outputs: readonly Float32Array[]): Float32Array;
  answers(probabilities: Float32Array): Int32Array;
  /** How common the probabilities take the classes to be. */
  readonly assumedLogPrior: ArrayLike<number>;
  /** Rows that are held out, and the probabilities that they are given. */
  readonly heldOut: { readonly instances: Int32Array; readonly probabilities: Float32Array };
}

/**
 * How much worse the model answers rows that it has not learned from when the values of one column are permuted among them (Breiman 2001; Fisher,
 * Rudin and Dominici 2019): its permutation importance, for every column. The run's seed decides the permutations.
 */
export async function measureImportance(
  context: ImportanceContext,
  { onEvent, signal }: { readonly onEvent: TrainingListener; readonly signal?: AbortSignal | undefined },
): Promise<ImportanceReport> {
  const learners: Learner[] = [];
  try {
    for (const { learner: plan, state } of context.networks) {
      const learner = await plan.start();
      learners.push(learner);
      await learner.load(state);
    }
    const columns = context.instances.preprocessing.columns.length;
    return await measure(context, learners, (done) => {
      signal?.throwIfAborted();
      onEvent({ kind: 'importance', done, columns });
    });
  } finally {
    for (const learner of learners) await learner.close();
  }
}

/** The rows that are answered again, of those that are held out. */
interface MeasuredRows {
  /** Indices in the list of those that are held out. */
  readonly rows: Int32Array;
  /** As they are answered with their own values. */
  readonly before: RowResults;
  readonly labels: Int32Array;
  readonly folds: Int32Array;
}

async function measure(
  context: ImportanceContext,
  learners: readonly Learner[],
  onColumn: (done: number) => void,
): Promise<ImportanceReport> {
  const { config, setup, instances, heldOut } = context;
  const { dataset, split } = setup;
  const { preprocessing } = instances;
  const classes = dataset.classNames.length;
  const random = seededRandom(config.seed, 'importance');
  const { permutations, rows: most } = effortFor(heldOut.instances.length, preprocessing.columns.length, classes);
  const folds = split.folds ?? new Int32Array(heldOut.instances.length);
  const measured = measuredRows(context, folds, (labels) => drawnEvenly(labels, classes, most, random));
  const drawDonors = donorDrawer(folds, measured.rows, random);
  const inputsOf = (rows: Int32Array) => instances.inputs(rows.map((row) => int32At(heldOut.instances, row)));
  const own = inputsOf(measured.rows);
  const changes = [];
  for (const [column, positions] of columnPositions(preprocessing).entries()) {
    onColumn(column);
    const donated = Array.from({ length: permutations }, () => inputsOf(drawDonors()));
    const permuted = permutedRows(own, donated, at(instances.shape, 0), positions);
    const after = await answeredAgain(context, learners, measured, permuted, permutations);
    changes.push({ name: at(preprocessing.columns, column).type.name, ...rowChanges(measured.before, after) });
  }
  onColumn(changes.length);
  const { columns, ...rest } = summary(changes, measured, context);
  const gains = gainsOf(context);
  return {
    measured: split.folds === undefined ? 'test set' : 'out of fold',
    permutations,
    ...rest,
    columns: columns.map((column) => ({ ...column, ...(gains && { gain: gains.get(column.name) ?? 0 }) })),
  };
}

/** By how much the trees of the model, if it has any, lower their loss by each column. */
function gainsOf({ networks, instances: { preprocessing } }: ImportanceContext): Map<string, number> | undefined {
  const found = networks.map(({ learner, state }) => learner.gains?.(state)).filter((gains) => gains !== undefined);
  if (found.length === 0) return undefined;
  const shares = preprocessing.columns.map((_, column) =>
    found.reduce((sum, gains) => sum + float64At(gains, column) / found.length, 0),
  );
  return new Map(preprocessing.columns.map(({ type }, column) => [type.name, at(shares, column)]));
}

function measuredRows(
  context: ImportanceContext,
  folds: Int32Array,
  draw: (labels: Int32Array) => Int32Array,
): MeasuredRows {
  const { setup, heldOut } = context;
  const labels = heldOut.instances.map((instance) => int32At(setup.dataset.labels, instance));
  const { losses, hits } = resultsOf(context, labels, heldOut.probabilities);
  const rows = draw(labels);
  return {
    rows,
    before: {
      losses: Float64Array.from(rows, (row) => float64At(losses, row)),
      hits: Float64Array.from(rows, (row) => float64At(hits, row)),
    },
    labels: rows.map((row) => int32At(labels, row)),
    folds: rows.map((row) => int32At(folds, row)),
  };
}

/** How the measured rows are answered after each permutation. One that was given its own value back is answered as before. */
async function answeredAgain(
  context: ImportanceContext,
  learners: readonly Learner[],
  { before, labels, folds }: MeasuredRows,
  { rows, permutations, inputs }: PermutedRows,
  count: number,
): Promise<RowResults[]> {
  const after = Array.from({ length: count }, () => ({ losses: before.losses.slice(), hits: before.hits.slice() }));
  if (rows.length === 0) return after;
  const foldOf = rows.map((index) => int32At(folds, index));
  const outputs: Float32Array[] = [];
  for (const learner of learners) outputs.push(await learner.heldOut(inputs, foldOf));
  const labelOf = rows.map((index) => int32At(labels, index));
  const results = resultsOf(context, labelOf, context.probabilities(outputs));
  for (const [i, index] of rows.entries()) {
    const { losses, hits } = at(after, int32At(permutations, i));
    losses[index] = float64At(results.losses, i);
    hits[index] = float64At(results.hits, i);
  }
  return after;
}

function summary(
  changes: readonly (RowChanges & { readonly name: string })[],
  { rows, before, labels, folds }: MeasuredRows,
  { config, setup: { dataset }, heldOut }: ImportanceContext,
): Pick<ImportanceReport, 'rows' | 'before' | 'columns' | 'perClass'> {
  const { classNames } = dataset;
  const blocks = keptTogether(dataset, splitOptions(config));
  const blockOf = rows.map((row) => int32At(blocks, int32At(heldOut.instances, row)));
  const classed = classedRows(labels, classNames.length, blockOf, new Set(folds).size);
  const columns = changes
    .map((change) => ({ change, ...columnImportance(change, classed) }))
    .sort((a, b) => b.logLossRise.value - a.logLossRise.value);
  const recalls = columns
    .slice(0, PER_CLASS_COLUMNS)
    .map(({ change }) => ({ name: change.name, recallDrop: recallDrops(change, classed) }));
  return {
    rows: rows.length,
    before: {
      balancedLogLoss: balancedMean(before.losses, classed).value,
      balancedAccuracy: balancedMean(before.hits, classed).value,
    },
    columns: columns.map(({ change: { name }, ...importance }) => ({ name, ...importance })),
    perClass: hasTooManyClasses(classNames.length) ? null : { classNames, columns: recalls },
  };
}

function resultsOf(
  { answers, assumedLogPrior }: ImportanceContext,
  labels: Int32Array,
  probabilities: Float32Array,
): RowResults {
  const classes = probabilities.length / labels.length;
  const answered = answers(probabilities);
  return {
    losses: balancedLosses(labels, probabilities, classes, assumedLogPrior),
    hits: Float64Array.from(labels, (label, row) => (int32At(answered, row) === label ? 1 : 0)),
  };
}

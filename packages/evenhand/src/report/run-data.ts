import { bySize } from '../dataset/class-order.js';
import { notableClasses } from '../evaluation/notable-classes.js';
import { readModelFile } from '../prediction/read-model-file.js';
import type { Preprocessing } from '../preprocessing/preprocessing.js';
import type { EpochGenerator } from '../runs/generator-file.js';
import type { ImportanceReport } from '../runs/importance-file.js';
import type { EpochMetrics } from '../runs/metrics-file.js';
import type { TestPredictions } from '../runs/predictions-file.js';
import { type CompleteRun, openRun } from '../runs/run.js';

/** All that a report says of a run. */
export interface RunData extends CompleteRun {
  /** The folder's name. */
  readonly name: string;
  readonly classNames: readonly string[];
  /** The classes by index, from most to fewest training instances. Charts and tables show these, in this order. */
  readonly classOrder: readonly number[];
  /** The classes that minority accuracy is about. */
  readonly minority: ReadonlySet<number>;
  readonly epochs: readonly EpochMetrics[];
  readonly generators: readonly EpochGenerator[];
  readonly predictions: TestPredictions;
  /** Undefined for images, and where it was not measured. */
  readonly importance: ImportanceReport | undefined;
  readonly preprocessing: Preprocessing;
}

/**
 * Reads a complete run.
 *
 * @throws {@link UserError} if it is none, not complete or damaged
 */
export async function readRunData(folder: string): Promise<RunData> {
  const run = await openRun(folder);
  const { name, config, environment } = run;
  const evaluation = await run.evaluation();
  const { training } = evaluation.counts;
  return {
    name,
    folder,
    config,
    environment,
    evaluation,
    classNames: evaluation.report.perClass.map((metrics) => metrics.name),
    classOrder: bySize(training),
    minority: new Set(evaluation.report.minority.classes),
    epochs: await run.metrics(),
    generators: await run.generators(),
    predictions: await run.predictions(),
    importance: await run.importance(),
    preprocessing: (await readModelFile(run.modelFile)).preprocessing,
  };
}

/** The run with those of its classes alone that are shown one by one: of very many, a few. */
export function withNotableClasses(run: RunData): RunData {
  return { ...run, classOrder: notableClasses(run.evaluation.report, run.evaluation.counts.training) };
}

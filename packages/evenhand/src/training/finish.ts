import { at, int32At } from '../checked-access.js';
import type { Config } from '../config/schema.js';
import { evaluate } from '../evaluation/evaluate.js';
import { adjustProbabilities } from '../methods/adjust-probabilities.js';
import { scaledLogPrior } from '../methods/log-prior.js';
import { exportImageModel, exportTableModel } from '../prediction/export-model.js';
import type { PortfolioMember, Refit, TestEvaluation } from '../runs/evaluation-file.js';
import type { ImportanceReport } from '../runs/importance-file.js';
import { formatPredictions } from '../runs/predictions-file.js';
import type { RunWriter } from '../runs/run-writer.js';
import { costsOf, type Decider, fitDecision, objectiveOf } from './decide.js';
import { measureImportance } from './importance/measure-importance.js';
import { mixture } from './mixture.js';
import type { RunOptions } from './run-options.js';
import type { TrainingSetup } from './set-up.js';
import type { TrainedNetwork } from './trained-network.js';

/** What was trained, by one network or by several whose probabilities are mixed. */
export interface Outcome {
  readonly config: Config;
  readonly setup: Pick<
    TrainingSetup,
    'dataset' | 'split' | 'counts' | 'instances' | 'method' | 'measuring' | 'assumedLogPrior'
  >;
  /** Their weights sum to 1. */
  readonly networks: readonly { readonly name: string; readonly weight: number; readonly trained: TrainedNetwork }[];
  readonly portfolio?: readonly PortfolioMember[];
  /** Of a single pack. */
  readonly refit?: Refit;
}

/**
 * Fits the decision on what measured, evaluates on the test set, or where there is none out of fold, and writes `model.onnx`,
 * `predictions.csv` and `evaluation.json`; for a table `importance.json`, too.
 */
export async function finish(outcome: Outcome, run: RunWriter, options: RunOptions = {}): Promise<TestEvaluation> {
  const { config, setup, networks, portfolio, refit } = outcome;
  const { dataset, split, counts, instances, method, measuring } = setup;
  const { classNames } = dataset;
  const measured = mixture(networks.map(({ weight, trained }) => ({ weight, outputs: trained.measured })));
  const decider = fitDecision({
    config: config.decision,
    classNames,
    method,
    prior: priorOf(setup),
    labels: measuring.labels,
    adjustedProbabilities: measured,
  });
  const isTested = split.test.length > 0;
  const evaluated = isTested ? split.test : measuring.instances;
  const outputs = isTested
    ? mixture(networks.map(({ weight, trained }) => ({ weight, outputs: trained.test })))
    : measured;
  const probabilities = decider.probabilities(outputs);
  const answers = decider.answers(probabilities);
  const evaluation: TestEvaluation = {
    weights: at(networks, 0).trained.weights,
    // What is evaluated is what was tested.
    counts: isTested ? counts : { ...counts, test: counts.training },
    decision: decider.fitted,
    ...(isTested ? {} : { estimated: 'out of fold' }),
    ...(portfolio === undefined ? {} : { portfolio }),
    ...(refit === undefined ? {} : { refit }),
    ...evaluate({
      labels: evaluated.map((instance) => int32At(dataset.labels, instance)),
      probabilities,
      answers,
      classNames,
      trainingCounts: counts.training,
      seed: config.seed,
      ...costsOf(objectiveOf(config.decision, classNames)),
    }),
  };
  const isMeasured = split.folds !== undefined;
  const importance = await importanceOf(outcome, options, decider, {
    instances: isMeasured ? measuring.instances : split.test,
    probabilities: isMeasured ? decider.probabilities(measured) : probabilities,
  });
  const used = networks
    .filter(({ weight }) => weight > 0)
    .map(({ name, weight, trained }) => {
      const { learner, state } = trained.deployed ?? trained;
      return { name, weight, onnx: learner.toOnnx(state) };
    });
  await run.complete({
    model:
      instances.kind === 'table'
        ? exportTableModel(used, instances.preprocessing, classNames, decider.decision)
        : exportImageModel(used, instances.preprocessing, classNames, decider.decision),
    predictions: formatPredictions(dataset, { instances: evaluated, classes: answers, probabilities }),
    ...(importance === undefined ? {} : { importance }),
    evaluation,
  });
  return evaluation;
}

/** What each column of a table is worth to the model, unless that is not wanted. */
async function importanceOf(
  { config, setup, networks }: Outcome,
  { importance = true, onEvent = () => undefined, signal }: RunOptions,
  decider: Decider,
  heldOut: { readonly instances: Int32Array; readonly probabilities: Float32Array },
): Promise<ImportanceReport | undefined> {
  const { instances, method, dataset, assumedLogPrior } = setup;
  if (instances.kind !== 'table' || !importance) return undefined;
  const used = networks.filter(({ weight }) => weight > 0);
  const adjusted = (outputs: Float32Array) => adjustProbabilities(outputs, dataset.classNames.length, method);
  const context = {
    config,
    setup,
    instances,
    networks: used.map(({ trained }) => trained),
    probabilities: (outputs: readonly Float32Array[]) =>
      decider.probabilities(mixture(used.map(({ weight }, i) => ({ weight, outputs: adjusted(at(outputs, i)) })))),
    answers: decider.answers,
    // Calibrated probabilities are for classes as frequent as they are beside the test set.
    assumedLogPrior: decider.fitted.calibration === null ? assumedLogPrior : scaledLogPrior(priorOf(setup), 1),
    heldOut,
  };
  return measureImportance(context, { onEvent, signal });
}

/** Instances of every class beside the test set. */
function priorOf({ counts: { training, validation } }: Outcome['setup']): number[] {
  return training.map((count, p) => count + at(validation, p));
}

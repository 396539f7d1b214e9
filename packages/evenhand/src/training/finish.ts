import { at, float32At, int32At } from '../checked-access.js';
import type { Config } from '../config/schema.js';
import { evaluate } from '../evaluation/evaluate.js';
import { exportImageModel, exportTableModel } from '../prediction/export-model.js';
import type { PortfolioMember, Refit, TestEvaluation } from '../runs/evaluation-file.js';
import { formatPredictions } from '../runs/predictions-file.js';
import type { RunWriter } from '../runs/run-writer.js';
import { costsOf, fitDecision, objectiveOf } from './decide.js';
import type { TrainingSetup } from './set-up.js';
import type { TrainedNetwork } from './trained-network.js';

/** What was trained, by one network or by several whose probabilities are mixed. */
export interface Outcome {
  readonly config: Config;
  readonly setup: Pick<TrainingSetup, 'dataset' | 'split' | 'counts' | 'instances' | 'method' | 'measuring'>;
  /** Their weights sum to 1. */
  readonly networks: readonly { readonly name: string; readonly weight: number; readonly trained: TrainedNetwork }[];
  readonly portfolio?: readonly PortfolioMember[];
  /** Of a single pack. */
  readonly refit?: Refit;
}

/**
 * Fits the decision on what measured, evaluates on the test set, or where there is none out of fold, and writes `model.onnx`,
 * `predictions.csv` and `evaluation.json`.
 */
export async function finish(outcome: Outcome, run: RunWriter): Promise<TestEvaluation> {
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
  const used = networks
    .filter(({ weight }) => weight > 0)
    .map(({ name, weight, trained: { program, state } }) => ({ name, weight, program, state }));
  await run.complete({
    model:
      instances.kind === 'table'
        ? exportTableModel(used, instances.preprocessing, classNames, decider.decision)
        : exportImageModel(used, instances.preprocessing, classNames, decider.decision),
    predictions: formatPredictions(dataset, { instances: evaluated, classes: answers, probabilities }),
    evaluation,
  });
  return evaluation;
}

/** Instances of every class beside the test set. */
function priorOf({ counts: { training, validation } }: Outcome['setup']): number[] {
  return training.map((count, p) => count + at(validation, p));
}

/** The weighted mean of what several networks say. */
function mixture(parts: readonly { readonly weight: number; readonly outputs: Float32Array }[]): Float32Array {
  const [first, ...others] = parts;
  if (first !== undefined && others.length === 0) return first.outputs;
  return at(parts, 0).outputs.map((_, i) =>
    parts.reduce((sum, { weight, outputs }) => sum + weight * float32At(outputs, i), 0),
  );
}

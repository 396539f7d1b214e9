import type { State } from '@evenhand/engine';
import type { Trainer } from '@evenhand/engine/node';
import { int32At } from '../checked-access.js';
import { evaluate } from '../evaluation/evaluate.js';
import { exportImageModel, exportTableModel } from '../prediction/export-model.js';
import type { TestEvaluation } from '../runs/evaluation-file.js';
import { formatPredictions } from '../runs/predictions-file.js';
import type { RunWriter } from '../runs/run-writer.js';
import { UserError } from '../user-error.js';
import { costsOf, type Decider, fitDecision, objectiveOf } from './decide.js';
import { predictInstances } from './measuring.js';
import type { Position } from './memory.js';
import type { TrainingSetup } from './set-up.js';

/**
 * Evaluates what was trained on the test set and writes `model.onnx`, `predictions.csv` and `evaluation.json`. The weights
 * are those of the last epoch; with early stopping, those of the best one by validation soft accuracy.
 */
export async function finish(
  setup: TrainingSetup,
  trainer: Trainer,
  run: RunWriter,
  { epoch: epochs, memory: { best } }: Position,
): Promise<TestEvaluation> {
  const { config, dataset, split, method, counts, measuring } = setup;
  const stopsEarly = config.earlyStopping !== undefined && best !== null;
  if (stopsEarly) await trainer.load(await bestState(run));
  const labelsOf = (chosen: Int32Array) => chosen.map((instance) => int32At(dataset.labels, instance));
  const decider = fitDecision({
    config: config.decision,
    classNames: dataset.classNames,
    method,
    counts,
    labels: measuring.labels,
    networkProbabilities: await measuring.probabilities(trainer),
  });
  const probabilities = decider.probabilities(await predictInstances(setup.instances, trainer, split.test));
  const answers = decider.answers(probabilities);
  const objective = objectiveOf(config.decision, dataset.classNames);
  const evaluation: TestEvaluation = {
    weights: stopsEarly
      ? { epoch: best.epoch, chosen: 'best validation soft accuracy' }
      : { epoch: epochs - 1, chosen: 'last epoch' },
    counts,
    decision: decider.fitted,
    ...evaluate({
      labels: labelsOf(split.test),
      probabilities,
      answers,
      classNames: dataset.classNames,
      trainingCounts: counts.training,
      seed: config.seed,
      ...costsOf(objective),
    }),
  };
  await run.complete({
    model: exported(setup, await trainer.state(), decider),
    predictions: formatPredictions(dataset, {
      instances: split.test,
      classes: answers,
      probabilities,
    }),
    evaluation,
  });
  return evaluation;
}

async function bestState(run: RunWriter): Promise<State> {
  const loaded = await run.checkpoint('best');
  if (loaded === undefined) {
    throw new UserError(
      `${run.path} has no checkpoint of its best epoch any more, best.safetensors in its folder checkpoints; ` +
        'restore it, or start a new run',
    );
  }
  return loaded.checkpoint.state;
}

function exported({ instances, program, dataset }: TrainingSetup, state: State, { decision }: Decider): Uint8Array {
  return instances.kind === 'table'
    ? exportTableModel(program, state, instances.preprocessing, dataset.classNames, decision)
    : exportImageModel(program, state, instances.preprocessing, dataset.classNames, decision);
}

import { join } from 'node:path';
import type { State } from '@evenhand/engine';
import type { Trainer } from '@evenhand/engine/node';
import { countByClass } from '../dataset/instances.js';
import { evaluate } from '../evaluation/evaluate.js';
import { writeAtomically } from '../files/atomic-file.js';
import { exportImageModel, exportTableModel } from '../prediction/export-model.js';
import { RUN_FILES, RunFolder } from '../runs/run-folder.js';
import type { RunWriter } from '../runs/run-writer.js';
import { type Decider, fitDecision } from './decide.js';
import type { Position } from './memory.js';
import { predictionsCsv } from './predictions-csv.js';
import type { TestEvaluation } from './result.js';
import type { TrainingSetup } from './set-up.js';

/** Instances that are predicted in one message. */
const PREDICTED_AT_ONCE = 1024;

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
  const { config, dataset, split, method, trainingCounts } = setup;
  const stopsEarly = config.earlyStopping !== undefined && best !== null;
  if (stopsEarly) await trainer.load(await bestState(run));
  const labelsOf = (places: Int32Array) => places.map((place) => dataset.labels[place] ?? 0);
  const decider = fitDecision({
    config: config.decision,
    method,
    trainingCounts,
    labels: labelsOf(split.validation),
    networkProbabilities: await predict(setup, trainer, split.validation),
  });
  const probabilities = decider.probabilities(await predict(setup, trainer, split.test));
  const evaluationOf = (scores: Float32Array | Float64Array) =>
    evaluate({
      labels: labelsOf(split.test),
      probabilities: scores,
      classNames: dataset.classNames,
      trainingCounts,
      seed: config.seed,
    });
  const scores = decider.scores(probabilities);
  const evaluation: TestEvaluation = {
    weights: stopsEarly
      ? { epoch: best.epoch, chosen: 'best validation soft accuracy' }
      : { epoch: epochs - 1, chosen: 'last epoch' },
    counts: {
      training: trainingCounts,
      validation: countByClass(dataset, split.validation),
      test: countByClass(dataset, split.test),
    },
    decision: decider.fitted,
    ...evaluationOf(probabilities),
    thresholded: scores === null ? null : evaluationOf(scores),
  };
  await run.settle();
  const predictions = { places: split.test, classes: decider.classes(probabilities), probabilities };
  await writeAtomically(join(run.path, RUN_FILES.model), exported(setup, await trainer.state(), decider));
  await writeAtomically(join(run.path, RUN_FILES.predictions), predictionsCsv(dataset, predictions));
  // Last: a run with an evaluation is complete.
  await writeAtomically(join(run.path, RUN_FILES.evaluation), `${JSON.stringify(evaluation, null, 2)}\n`);
  return evaluation;
}

async function bestState({ path }: RunWriter): Promise<State> {
  const loaded = await (await RunFolder.open(path)).checkpoint('best');
  if (loaded === undefined) throw new Error(`internal: ${path} has no best checkpoint`);
  return loaded.checkpoint.state;
}

async function predict(
  { instances, dataset }: TrainingSetup,
  trainer: Trainer,
  places: Int32Array,
): Promise<Float32Array> {
  const classes = dataset.classNames.length;
  const probabilities = new Float32Array(places.length * classes);
  for (let from = 0; from < places.length; from += PREDICTED_AT_ONCE) {
    const part = places.subarray(from, from + PREDICTED_AT_ONCE);
    probabilities.set(await trainer.predict(instances.inputs(part)), from * classes);
  }
  return probabilities;
}

function exported({ instances, program, dataset }: TrainingSetup, state: State, { decision }: Decider): Uint8Array {
  return instances.kind === 'table'
    ? exportTableModel(program, state, instances.preprocessing, dataset.classNames, decision)
    : exportImageModel(program, state, instances.preprocessing, dataset.classNames, decision);
}

import type { State } from '@evenhand/engine';
import { adjustProbabilities } from '../methods/adjust-probabilities.js';
import type { TestEvaluation } from '../runs/evaluation-file.js';
import type { RunWriter } from '../runs/run-writer.js';
import { UserError } from '../user-error.js';
import type { Learner, LearnerPlan } from './learners/learner.js';
import type { Position } from './memory.js';
import type { TrainingSetup } from './set-up.js';

/** What has learned, a pack of networks or of trees, as it came out of training, and what it makes of the data. */
export interface TrainedNetwork {
  readonly learner: LearnerPlan;
  readonly state: State;
  /** What becomes the model instead, where it was trained again on all rows. */
  readonly deployed?: { readonly learner: LearnerPlan; readonly state: State };
  readonly weights: TestEvaluation['weights'];
  /** Probabilities of the instances that measure, and of the test set, as the method wants them. */
  readonly measured: Float32Array;
  readonly test: Float32Array;
}

/** The weights are those of the last epoch; with early stopping, those of the best one. */
export async function trainedNetwork(
  setup: TrainingSetup,
  learner: Learner,
  run: RunWriter,
  { epoch: epochs, memory: { best } }: Position,
  signal: AbortSignal | undefined,
): Promise<TrainedNetwork> {
  const { config, split, method, dataset } = setup;
  const stopsEarly = config.earlyStopping !== undefined && best !== null;
  if (stopsEarly) await learner.load((await learner.stateAfter?.(best.epoch + 1)) ?? (await bestState(run)));
  const weightsOf = stopsEarly ? best.epoch : epochs - 1;
  const { retrainingEpochs } = method;
  if (retrainingEpochs !== undefined)
    await learner.retrainClassifier?.(method.currentLabels(weightsOf), retrainingEpochs, signal);
  if (method.finishWeights !== undefined) await learner.load(method.finishWeights(await learner.state()));
  const adjusted = (outputs: Float32Array) => adjustProbabilities(outputs, dataset.classNames.length, method);
  return {
    learner: setup.learner,
    state: await learner.state(),
    weights: stopsEarly
      ? {
          epoch: weightsOf,
          chosen: 'softAccuracy' in best ? 'best validation soft accuracy' : 'lowest balanced log-loss out of fold',
        }
      : { epoch: weightsOf, chosen: 'last epoch' },
    measured: adjusted(await learner.measured()),
    test: adjusted(await learner.predict(split.test)),
  };
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

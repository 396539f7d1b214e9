import { DeviceError, exportModel, type Program, ShapeError, type State, type schedules } from '@evenhand/engine';
import { Trainer } from '@evenhand/engine/node';
import { at } from '../../checked-access.js';
import type { NetworkConfig } from '../../config/schema.js';
import type { PreparedMethod } from '../../methods/method.js';
import { UserError } from '../../user-error.js';
import { type EpochBatches, epochBatches } from '../epoch-batches.js';
import { learningRateOfStep } from '../learning-rate.js';
import { NOTHING_MEASURES } from '../measuring.js';
import { programOf } from '../program.js';
import { resampleRows } from '../resample-rows.js';
import { rowsOfNetworks } from '../rows-of-networks.js';
import type { Learner, LearnerPlan } from './learner.js';
import type { LearnerSetting } from './learner-setting.js';
import { NetworkLearner } from './network-learner.js';

/** A network, or a pack of them, and how it goes through the instances. */
export class NetworkPlan implements LearnerPlan {
  readonly config: NetworkConfig;
  readonly setting: LearnerSetting;
  readonly program: Program;
  readonly batches: EpochBatches;
  readonly learningRate: schedules.Schedule;
  readonly notes: readonly string[];

  private constructor(config: NetworkConfig, setting: LearnerSetting, program: Program, batches: EpochBatches) {
    this.config = config;
    this.setting = setting;
    this.program = program;
    this.batches = batches;
    // Of all epochs that are planned: a refit is stopped where the first pack was best.
    this.learningRate = learningRateOfStep(config, batches.stepsPerEpoch);
    const { method } = setting;
    this.notes = [...batchSizeNotes(config, batches), ...logitNormNotes(config, method), ...retrainingNotes(method)];
  }

  /** @throws {@link UserError} if the model does not go with the instances, or with the memory of this machine */
  static async create(config: NetworkConfig, setting: LearnerSetting): Promise<NetworkPlan> {
    const { instances, rows, split, method, classes, giveBackFrom, seed } = setting;
    const folds = split.folds === undefined ? 1 : Math.max(...split.folds) + 1;
    const options = { seed, batchSize: config.batchSize, sampling: method.sampling, giveBackFrom };
    const batches = epochBatches(instances.labels, rows, options);
    const { batchSize } = batches;
    const measured = folds === 1 ? split.validation.length : Math.ceil(split.training.length / folds);
    const rowsOfStep = method.guided === true ? 2 * batchSize : batchSize;
    const context = { instances, classes, method, batchSize: rowsOfStep, folds, validationInstances: measured };
    const program = await programOf(config, context).catch((error: unknown) => {
      if (batchSize > 1 || !(error instanceof ShapeError)) throw error;
      throw new UserError(`batchSize is 1, which this model cannot be trained with: ${error.message}`, {
        cause: error,
        options: ['batchSize'],
      });
    });
    return new NetworkPlan(config, setting, program, batches);
  }

  get stepsPerEpoch(): number {
    return this.batches.stepsPerEpoch;
  }

  get batchSize(): number {
    return this.batches.batchSize;
  }

  get facts() {
    return { batchSize: this.batchSize, channelBlock: this.program.target.channelBlock };
  }

  /** Epochs with balanced sampling, as long as others are or longer. */
  balancedBatches(): EpochBatches {
    const { instances, rows, giveBackFrom, seed } = this.setting;
    const { batchSize } = this;
    return epochBatches(instances.labels, rows, { seed, batchSize, sampling: 'balanced', giveBackFrom });
  }

  stepsIn(epoch: number): number {
    return this.batches.stepsIn(epoch);
  }

  instancesOf(globalStep: number): Int32Array {
    const epoch = Math.floor(globalStep / this.stepsPerEpoch);
    return at(this.batches.of(epoch), globalStep % this.stepsPerEpoch);
  }

  async start(): Promise<Learner> {
    const { threads, device } = this.config;
    try {
      return new NetworkLearner(this, await Trainer.start(this.program, { threads, device }));
    } catch (error) {
      if (error instanceof DeviceError)
        throw new UserError(`device: ${error.message}`, { cause: error, options: ['device'] });
      throw error;
    }
  }

  toOnnx(state: State): Uint8Array {
    return exportModel(this.program, state);
  }

  /** Batches are as large as before; an epoch has more of them, because there are more rows. */
  onAllRows(): NetworkPlan {
    const { instances, split, method, seed } = this.setting;
    const { batchSize } = this;
    const learned = resampleRows(
      { instances, rows: rowsOfNetworks(split, { leaveOutFolds: false }) },
      { method, name: this.config.method.name, seed },
    );
    const options = { seed, batchSize, sampling: method.sampling };
    const batches = epochBatches(learned.instances.labels, learned.rows, options);
    const setting = { ...this.setting, ...learned, measuring: NOTHING_MEASURES };
    return new NetworkPlan(this.config, setting, this.program, batches);
  }
}

function batchSizeNotes(config: NetworkConfig, { batchSize, inEpoch }: EpochBatches): string[] {
  if (batchSize === config.batchSize) return [];
  return [`A step takes ${batchSize} instances instead of ${config.batchSize}: an epoch has ${inEpoch} in all.`];
}

function logitNormNotes({ model, method }: NetworkConfig, { encodesLabels = false }: PreparedMethod): string[] {
  if (!('logitNorm' in model) || model.logitNorm || !encodesLabels) return [];
  return [
    `The model has no batch normalisation before the softmax (model.logitNorm is false). With labels above 1, as the method ` +
      `"${method.name}" makes them, the gradient at the logits never vanishes: they grow without bound, and a large ` +
      'enhancementRate diverges.',
  ];
}

function retrainingNotes({ retrainingEpochs }: PreparedMethod): string[] {
  if (retrainingEpochs === undefined) return [];
  return [
    `After training, the last layer is trained anew for ${retrainingEpochs} epochs with balanced sampling; the others stay as they are.`,
  ];
}

import { identityMatrix } from '@evenhand/encoding';
import type { State } from '@evenhand/engine';
import {
  gainImportance,
  type LabelRows,
  type LossOptions,
  memoryOf,
  type TrainingData,
  TreesError,
} from '@evenhand/trees';
import { type ThreadOptions, TreeTrainer } from '@evenhand/trees/node';
import { float64At, int32At } from '../../checked-access.js';
import type { TreesConfig } from '../../config/schema.js';
import { inverseFrequencyWeights } from '../../methods/inverse-frequency.js';
import type { EpochLabels } from '../../methods/method.js';
import { equalWeights } from '../../methods/one-hot-labels.js';
import { exportTrees } from '../../prediction/export-trees.js';
import { type TreeFeatures, treeFeatures, treeValues } from '../../preprocessing/tree-features.js';
import { UserError } from '../../user-error.js';
import type { TableInstances } from '../instances.js';
import { type Measuring, NOTHING_MEASURES } from '../measuring.js';
import { checkTreeMemory } from '../memory-estimate.js';
import { resampleRows } from '../resample-rows.js';
import type { Learner, LearnerPlan } from './learner.js';
import type { LearnerSetting } from './learner-setting.js';
import { baselineOf, checkMethod, labelRowsOf } from './tree-labels.js';
import { TreeLearner } from './tree-learner.js';
import { modelOfTrees, treesOfState } from './tree-state.js';

/** Boosted trees: K members, each leaving out a fold, on the same bins. An epoch is some rounds of boosting. */
export class TreePlan implements LearnerPlan {
  readonly config: TreesConfig;
  readonly setting: LearnerSetting;
  readonly instances: TableInstances;
  readonly features: TreeFeatures;
  readonly measuring: Measuring;
  readonly facts = {};
  readonly notes: readonly string[] = [];
  /** Whether members leave out their folds, or the validation rows. */
  readonly #leavesOut: boolean;

  private constructor(config: TreesConfig, setting: LearnerSetting, instances: TableInstances, leavesOut: boolean) {
    this.config = config;
    this.setting = setting;
    this.instances = instances;
    this.features = treeFeatures(instances.preprocessing);
    this.measuring = leavesOut ? setting.measuring : NOTHING_MEASURES;
    this.#leavesOut = leavesOut;
  }

  /** @throws {@link UserError} if trees cannot learn from these instances, by this method, or in the memory of this machine */
  static create(config: TreesConfig, setting: LearnerSetting): TreePlan {
    const { instances, method } = setting;
    if (instances.kind !== 'table') {
      throw new UserError(
        'model.name is "trees", which takes tables; expected a model for images, such as "resnet20"',
        {
          options: ['model.name'],
        },
      );
    }
    checkMethod(config.method.name, method);
    const plan = new TreePlan(config, setting, instances, true);
    try {
      checkTreeMemory(memoryOf(plan.data(), plan.options));
    } catch (error) {
      if (error instanceof TreesError) throw new UserError(`model trees: ${error.message}`, { cause: error });
      throw error;
    }
    return plan;
  }

  get classes(): number {
    return this.setting.classes;
  }

  get stepsPerEpoch(): number {
    return this.config.model.roundsPerEpoch;
  }

  stepsIn(): number {
    return this.stepsPerEpoch;
  }

  /** Every round learns from all rows. */
  get batchSize(): number {
    return this.setting.split.training.length;
  }

  learningRate(): number {
    const { learningRate = usualLearningRate(this.batchSize) } = this.config.model;
    return learningRate;
  }

  instancesOf(): Int32Array {
    return this.setting.split.training;
  }

  get threads(): number {
    return this.config.threads;
  }

  get options(): ThreadOptions {
    const { name: _, roundsPerEpoch: __, ...growth } = this.config.model;
    const { roundShares, roundDraw } = this.setting.method;
    return {
      rounds: this.config.epochs * this.stepsPerEpoch,
      leaves: usualLeaves(this.batchSize),
      ...growth,
      ...(roundShares === undefined ? {} : { classShares: this.#withSynthetic(roundShares) }),
      ...(roundDraw === undefined ? {} : { classDraw: roundDraw }),
      learningRate: this.learningRate(),
      loss: treeLoss(this.config.loss),
      seed: this.config.seed,
    };
  }

  /** The shares of the label rows: those of real rows, and behind them those of synthetic ones, if there are any. */
  #withSynthetic(shares: readonly number[]): number[] {
    const { syntheticShare } = this.setting.method;
    return syntheticShare === undefined ? [...shares] : [...shares, ...shares.map(() => syntheticShare)];
  }

  get measuredFrom(): number {
    const { split } = this.setting;
    return split.folds === undefined ? split.training.length : 0;
  }

  get measuredFolds(): Int32Array {
    return this.setting.split.folds ?? new Int32Array(this.measuring.instances.length);
  }

  /** Training rows, behind them validation rows, which nothing learns from, and then the synthetic ones of each member. */
  data(): TrainingData {
    const { split, classes, method, assumedLogPrior } = this.setting;
    const { training, validation, folds } = split;
    const real = Int32Array.from([...training, ...validation]);
    const synthetic = this.#synthetic();
    const rows = Int32Array.from([...real, ...synthetic.flatMap((own) => [...own])]);
    const { labels, inputs } = this.instances;
    const leftOut = folds ?? real.map((_, row) => (row < training.length ? -1 : 0));
    const ofOne = synthetic.flatMap((own, member) => Array.from(own, () => -2 - member));
    return {
      values: treeValues(this.features, inputs(rows)),
      columns: this.features.tableColumns.length,
      categorical: this.features.categorical,
      classes,
      // Synthetic rows have label rows of their own.
      labels: rows.map((instance, row) => int32At(labels, instance) + (row < real.length ? 0 : classes)),
      labelRows: this.labelRows({
        generator: Float32Array.from(identityMatrix(classes)),
        classWeights: Float32Array.from(equalWeights(classes)),
      }),
      baseline: baselineOf(assumedLogPrior, method),
      ...(this.#leavesOut ? { folds: Int32Array.from([...leftOut, ...ofOne]) } : {}),
    };
  }

  /** Of each member, the rows that the method has made of its own. */
  #synthetic(): Int32Array[] {
    const { method, rows, split } = this.setting;
    if (method.syntheticShare === undefined) return [];
    const real = new Set(split.training);
    return rows.rows.map((own) => own.filter((instance) => !real.has(instance)));
  }

  /** What trees are taught in an epoch. Where rare rows are to be repeated they weigh more instead, which is the same to trees. */
  labelRows(labels: EpochLabels): LabelRows {
    const { method } = this.setting;
    return labelRowsOf(labels, method, method.sampling === 'balanced' ? this.#balanced() : undefined);
  }

  #balanced(): number[] {
    const { split, classes } = this.setting;
    const counts = Array.from({ length: classes }, () => 0);
    for (const instance of split.training) {
      const label = int32At(this.instances.labels, instance);
      counts[label] = (counts[label] ?? 0) + 1;
    }
    return inverseFrequencyWeights(counts);
  }

  async start(): Promise<Learner> {
    return new TreeLearner(this);
  }

  startTrainer(): Promise<TreeTrainer> {
    return TreeTrainer.start(this.data(), { ...this.options, threads: this.threads });
  }

  toOnnx(state: State): Uint8Array {
    return exportTrees(this.#modelOf(state), this.features);
  }

  #modelOf(state: State) {
    return modelOfTrees(treesOfState(state), this.classes, this.features.tableColumns.length);
  }

  gains(state: State): Float64Array {
    const own = gainImportance(this.#modelOf(state));
    const gains = new Float64Array(this.instances.preprocessing.columns.length);
    for (const [i, column] of this.features.tableColumns.entries())
      gains[column] = float64At(gains, column) + float64At(own, i);
    return gains;
  }

  /** Members that see the same rows are the same: one is enough. */
  onAllRows(): TreePlan {
    const { method, split, seed } = this.setting;
    if (method.syntheticShare === undefined) return new TreePlan(this.config, this.setting, this.instances, false);
    const rows = { rows: [split.training] };
    const learned = resampleRows({ instances: this.instances, rows }, { method, name: this.config.method.name, seed });
    if (learned.instances.kind !== 'table') throw new Error('internal: rows of a table were resampled to images');
    return new TreePlan(this.config, { ...this.setting, ...learned }, learned.instances, false);
  }
}

/** Of many rows small steps take long, and bring little. */
function usualLearningRate(rows: number): number {
  return rows > 10_000 ? 0.1 : 0.05;
}

/** Few rows cannot tell many leaves apart. */
function usualLeaves(rows: number): number {
  return Math.min(31, Math.max(8, Math.round(rows / 128)));
}

/** Second derivatives of a hinge are 0, and boosting divides by them. */
function treeLoss(loss: TreesConfig['loss']): LossOptions {
  if (loss.name === 'cross-entropy' || loss.name === 'mean-square-error') return { name: loss.name };
  if (loss.name === 'focal') return loss;
  throw new UserError(
    `loss.name is "${loss.name}", which trees cannot be boosted by: it has no curvature; expected "cross-entropy", "mean-square-error" or "focal", or another model`,
    { options: ['loss.name', 'model.name'] },
  );
}

import type { State } from '@evenhand/engine';
import type { LabelRows } from '@evenhand/trees';
import { TreePredictor, type TreeTrainer } from '@evenhand/trees/node';
import type { EpochLabels } from '../../methods/method.js';
import { type TreeFeatures, treeValues } from '../../preprocessing/tree-features.js';
import type { TableInstances } from '../instances.js';
import type { Measuring } from '../measuring.js';
import type { EpochToTrain, Learner } from './learner.js';
import { type GrownTrees, modelOfTrees, stateOfTrees, treesOfState } from './tree-state.js';

/** What trees need of their plan. */
interface TreeSteps {
  readonly stepsPerEpoch: number;
  readonly classes: number;
  readonly threads: number;
  readonly instances: TableInstances;
  readonly features: TreeFeatures;
  readonly measuring: Measuring;
  /** Rows in front of those that measure. */
  readonly measuredFrom: number;
  /** The member that has not learned from each of the rows that measure. */
  readonly measuredFolds: Int32Array;
  labelRows(labels: EpochLabels): LabelRows;
  startTrainer(): Promise<TreeTrainer>;
}

/** Boosted trees. A step is a round of boosting. */
export class TreeLearner implements Learner {
  readonly #plan: TreeSteps;
  #grown: GrownTrees = { baselines: [], rounds: [] };
  /** Started when it is first needed: what only predicts needs none. */
  #trainer: TreeTrainer | undefined;
  #predictor: TreePredictor | undefined;

  constructor(plan: TreeSteps) {
    this.#plan = plan;
  }

  async trainEpoch({ from, labels, done }: EpochToTrain): Promise<void> {
    const trainer = await this.#training();
    await this.#predictor?.close();
    this.#predictor = undefined;
    await trainer.setLabels(this.#plan.labelRows(labels));
    for (let round = from; round < this.#plan.stepsPerEpoch; round++) {
      const { trees } = await trainer.advance();
      this.#grown = { ...this.#grown, rounds: [...this.#grown.rounds, trees] };
      if (done(round + 1, [await trainer.trainingLoss()])) return;
    }
  }

  async #training(): Promise<TreeTrainer> {
    if (this.#trainer !== undefined) return this.#trainer;
    const trainer = await this.#plan.startTrainer();
    const { rounds } = this.#grown;
    if (rounds.length > 0) await trainer.restore(rounds);
    this.#grown = { baselines: trainer.baselines, rounds };
    this.#trainer = trainer;
    return trainer;
  }

  async measured(): Promise<Float32Array> {
    const { classes, measuring, measuredFrom, measuredFolds } = this.#plan;
    if (measuring.instances.length === 0) return new Float32Array();
    // Both ways give the same bits; trees that are complete are asked for these rows alone.
    if (this.#trainer === undefined && this.#grown.rounds.length > 0) {
      return this.heldOut(this.#plan.instances.inputs(measuring.instances), measuredFolds);
    }
    const trainer = await this.#training();
    // Synthetic rows are behind those that measure.
    const end = measuredFrom + measuring.instances.length;
    return trainer.heldOutProbabilities().subarray(measuredFrom * classes, end * classes);
  }

  predict(chosen: Int32Array): Promise<Float32Array> {
    return this.#predicting().predict(this.#table(this.#plan.instances.inputs(chosen)));
  }

  heldOut(inputs: Float32Array, folds: Int32Array): Promise<Float32Array> {
    return this.#predicting().predict(this.#table(inputs), folds);
  }

  #table(inputs: Float32Array) {
    return { values: treeValues(this.#plan.features, inputs), columns: this.#plan.features.tableColumns.length };
  }

  #predicting(): TreePredictor {
    const { classes, threads } = this.#plan;
    this.#predictor ??= new TreePredictor(
      modelOfTrees(this.#grown, classes, this.#plan.features.tableColumns.length),
      threads,
    );
    return this.#predictor;
  }

  async state(): Promise<State> {
    return stateOfTrees(this.#grown);
  }

  async stateAfter(epochs: number): Promise<State> {
    return stateOfTrees({ ...this.#grown, rounds: this.#grown.rounds.slice(0, epochs * this.#plan.stepsPerEpoch) });
  }

  async load(state: State): Promise<void> {
    const grown = treesOfState(state);
    await this.close();
    this.#grown = grown;
  }

  async close(): Promise<void> {
    await this.#trainer?.close();
    await this.#predictor?.close();
    [this.#trainer, this.#predictor] = [undefined, undefined];
  }
}

/// <reference types="node" />
import { availableParallelism } from 'node:os';
import type { Column } from '../bins/column.js';
import type { Round } from '../boosting/boosting.js';
import { heldOutProbabilities } from '../boosting/held-out-loss.js';
import { createMemory, writeRows } from '../boosting/session.js';
import { CollectedRounds, checkPatience, type FittedTrees, type RoundListener } from '../fit.js';
import type { LabelRows } from '../losses/labels.js';
import { idleBytes, type Layout, layOut } from '../memory/layout.js';
import type { Tree } from '../model/tree.js';
import { DEFAULT_ROUNDS, type TreeOptions } from '../options.js';
import { planTraining } from '../plan.js';
import { checkLabelRows, type TrainingData } from '../training-data.js';
import { ThreadGroup } from './thread-group.js';

/** Options of training in threads. */
export interface ThreadOptions extends TreeOptions {
  /** Threads that train together; the model does not depend on it. @defaultValue one per core */
  readonly threads?: number;
}

/** Trains trees round by round in threads of its own, so that the thread of the caller stays free. */
export class TreeTrainer {
  private constructor(
    private readonly group: ThreadGroup,
    private readonly memory: WebAssembly.Memory,
    private readonly layout: Layout,
    private readonly classes: number,
    private readonly labelRows: number,
    readonly columns: readonly Column[],
    /** `[member]`: scores before the first tree. */
    readonly baselines: readonly Float32Array[],
  ) {}

  /**
   * Starts threads and bins the data.
   *
   * @throws {@link TreesError} that says what is wrong with the data or the options
   */
  static async start(
    data: TrainingData,
    { threads = availableParallelism(), ...options }: ThreadOptions = {},
  ): Promise<TreeTrainer> {
    const plan = planTraining(data, options, Math.max(1, Math.floor(threads)));
    const { sizes, table, labels } = plan.setting;
    const layout = layOut(sizes);
    const memory = createMemory(sizes, true);
    writeRows(memory, sizes, data);
    const setting = { ...plan.setting, table: { ...table, values: sharedValues(table.values, memory, layout) } };
    const group = new ThreadGroup(memory, setting);
    try {
      const started = await group.ask({ kind: 'start' });
      if (started.kind !== 'started') throw new Error(`internal: the threads answered ${started.kind}`);
      const { columns, baselines } = started;
      const count = labels.rows.length / data.classes;
      return new TreeTrainer(group, memory, layout, data.classes, count, columns, baselines);
    } catch (error) {
      await group.close();
      throw error;
    }
  }

  /** Trains one round. */
  async advance(): Promise<Round> {
    const answer = await this.group.ask({ kind: 'advance' });
    if (answer.kind !== 'round') throw new Error(`internal: the threads answered ${answer.kind}`);
    return answer.round;
  }

  /** The mean loss of rows that members learn from, 1,024 of them at most, with the labels of now, over all members. */
  async trainingLoss(): Promise<number> {
    const answer = await this.group.ask({ kind: 'loss' });
    if (answer.kind !== 'loss') throw new Error(`internal: the threads answered ${answer.kind}`);
    return answer.loss;
  }

  /** Other labels from the next round on. */
  async setLabels(labels: LabelRows): Promise<void> {
    checkLabelRows(labels, this.labelRows, this.classes);
    await this.group.ask({ kind: 'labels', labels });
  }

  /** Goes on behind rounds that were trained before with the same data and options. */
  async restore(rounds: readonly (readonly (readonly Tree[])[])[]): Promise<void> {
    await this.group.ask({ kind: 'restore', rounds });
  }

  /** `[rows, classes]`: the probabilities of every row by the member that leaves it out; NaN for a row that none leaves out. */
  heldOutProbabilities(): Float32Array {
    return heldOutProbabilities(this.memory, this.layout, this.classes);
  }

  /** Ends the threads. */
  close(): Promise<void> {
    return this.group.close();
  }
}

/**
 * Trains boosted trees in threads of its own.
 *
 * @throws {@link TreesError} that says what is wrong with the data or the options
 */
export async function fit(
  data: TrainingData,
  options: ThreadOptions = {},
  onRound: RoundListener = () => undefined,
): Promise<FittedTrees> {
  checkPatience(data, options);
  const trainer = await TreeTrainer.start(data, options);
  try {
    const collected = new CollectedRounds(data.classes, options.patience);
    for (let round = 0; round < (options.rounds ?? DEFAULT_ROUNDS); round++) {
      const trained = await trainer.advance();
      onRound(round, trained.heldOutLoss);
      if (!collected.add(trained)) break;
    }
    return collected.fitted(trainer.columns, trainer.baselines);
  } finally {
    await trainer.close();
  }
}

/** Threads cannot share what lies in an ordinary buffer. They need the values until they are binned, so a copy may lie where later something else does. */
function sharedValues(values: Float32Array, memory: WebAssembly.Memory, layout: Layout): Float32Array {
  if (values.buffer instanceof SharedArrayBuffer) return values;
  const shared =
    values.byteLength <= idleBytes(layout)
      ? new Float32Array(memory.buffer, layout.statistics, values.length)
      : new Float32Array(new SharedArrayBuffer(values.byteLength));
  shared.set(values);
  return shared;
}

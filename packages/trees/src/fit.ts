import type { Column } from './bins/column.js';
import type { Round } from './boosting/boosting.js';
import { EarlyStopping } from './boosting/early-stopping.js';
import { createMemory, startBoosting, writeRows } from './boosting/session.js';
import { at } from './checked-access.js';
import { TreesError } from './errors.js';
import type { TreeModel } from './model/model.js';
import type { TreeOptions } from './options.js';
import { planTraining } from './plan.js';
import { alone } from './team.js';
import type { TrainingData } from './training-data.js';

/** A model and the losses of its training. */
export interface FittedTrees {
  readonly model: TreeModel;
  /** The loss of held-out rows after every round that was trained, including those after the best; empty without `folds`. */
  readonly heldOutLosses: readonly number[];
}

/** Called after every round. */
export type RoundListener = (round: number, heldOutLoss: number | null) => void;

/**
 * Trains boosted trees in the thread of the caller, which waits for it. In Node, `@evenhand/trees/node` trains in threads of its own.
 *
 * @throws {@link TreesError} that says what is wrong with the data or the options
 */
export function fit(
  data: TrainingData,
  options: TreeOptions = {},
  onRound: RoundListener = () => undefined,
): FittedTrees {
  const plan = planTraining(data, options, 0);
  checkPatience(data, options);
  const { sizes } = plan.setting;
  const memory = createMemory(sizes, false);
  writeRows(memory, sizes, data);
  const boosting = startBoosting(memory, plan.setting, alone);
  const collected = new CollectedRounds(data.classes, plan.options.patience);
  for (let round = 0; round < plan.options.rounds; round++) {
    const trained = boosting.advance();
    onRound(round, trained.heldOutLoss);
    if (!collected.add(trained)) break;
  }
  return collected.fitted(boosting.columns, boosting.baselines);
}

/** Early stopping has to have something to look at. */
export function checkPatience({ folds }: TrainingData, { patience }: TreeOptions): void {
  if (patience !== undefined && !folds?.some((fold) => fold >= 0)) {
    throw new TreesError('fit: "patience" needs rows to stop by; expected "folds" in which some rows are left out');
  }
}

/** The rounds of a training, until it stops. */
export class CollectedRounds {
  readonly #rounds: Round[] = [];
  readonly #losses: number[] = [];
  readonly #stopping: EarlyStopping | undefined;

  constructor(
    private readonly classes: number,
    patience: number | undefined,
  ) {
    this.#stopping = patience === undefined ? undefined : new EarlyStopping(patience);
  }

  /** Whether to go on. */
  add(round: Round): boolean {
    this.#rounds.push(round);
    if (round.heldOutLoss === null) return true;
    this.#losses.push(round.heldOutLoss);
    return this.#stopping?.goesOn(round.heldOutLoss) ?? true;
  }

  fitted(columns: readonly Column[], baselines: readonly Float32Array[]): FittedTrees {
    const kept = this.#rounds.slice(0, this.#stopping?.best ?? this.#rounds.length);
    const members = baselines.map((baseline, member) => ({
      baseline,
      rounds: kept.map(({ trees }) => at(trees, member)),
    }));
    return { model: { classes: this.classes, columns, members }, heldOutLosses: this.#losses };
  }
}

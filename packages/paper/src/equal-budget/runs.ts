import { type Config, configHash, parseConfig } from 'evenhand/config';
import { BUDGET_ROWS, type BudgetRow } from './rows.js';

/** How often each row is trained: so many draws of the images, with so many seeds each. */
export const DRAWS = 3;
export const SEEDS = 5;

export const EPOCHS = 15;

/** Which training run. */
export interface BudgetKey {
  readonly row: string;
  /** Which images are drawn. */
  readonly draw: number;
  /** Moves initial weights and the order of the images. */
  readonly seed: number;
}

/** A training run with all that it is told. */
export interface BudgetRun extends BudgetKey {
  readonly config: Config;
  readonly configHash: string;
}

/** Which runs. */
export interface BudgetSelection {
  readonly rows: readonly BudgetRow[];
  readonly draws: number;
  readonly seeds: number;
  readonly epochs: number;
}

/** Every run of docs/method.md. */
export const ALL_RUNS: BudgetSelection = { rows: BUDGET_ROWS, draws: DRAWS, seeds: SEEDS, epochs: EPOCHS };

/** Runs in the order in which they are worth doing: a draw and seed of every row before the next draw, all draws before the next seed. */
export function budgetRuns({ rows, draws, seeds, epochs }: BudgetSelection): BudgetRun[] {
  return range(seeds).flatMap((seed) =>
    range(draws).flatMap((draw) =>
      rows
        .filter(({ role }) => role !== 'tried' || seed === 0)
        .map((row) => {
          const config = configOf(row, draw, seed, epochs);
          return { row: row.name, draw, seed, config, configHash: configHash(config) };
        }),
    ),
  );
}

/** The text that says which run it is: `one-hot, draw 0, seed 4`. */
export function textOfRun({ row, draw, seed }: BudgetKey): string {
  return `${row}, draw ${draw}, seed ${seed}`;
}

/** One recipe for all rows, on images as they are. */
function configOf({ method, giveBack }: BudgetRow, draw: number, seed: number, epochs: number): Config {
  return parseConfig({
    data: {
      source: 'mnist',
      imbalance: { kind: 'mnist-long-tail' },
      validationPerClass: 5,
      splitSeed: draw,
      giveBack,
    },
    model: { name: 'lenet5', logitNorm: true },
    method,
    loss: { name: 'cross-entropy' },
    optimizer: { name: 'adamw', learningRate: 3e-3 },
    schedule: { name: 'cosine' },
    batchSize: 32,
    epochs,
    seed,
    // As many processes as cores are faster than one process with as many threads, and the bytes do not depend on the cores.
    threads: 1,
  });
}

function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}

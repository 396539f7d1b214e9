// Chooses the defaults for tables: node experiments/tables/tune.mjs. Writes tuning.jsonl beside itself; may be interrupted.
import { trainCells } from '../cells.mjs';
import { TABLES, TRAIN_CELL } from './tables.mjs';
import { bestOf, ranking, recipeOf, TUNING } from './tuning.mjs';

const SEEDS = [0, 1, 2];
const MORE_SEEDS = [3, 4, 5, 6, 7];
/** The defaults before this, from first probes on MNIST: they are tried again whatever their place. */
const FIRST_RATES = { enhancementRate: 3, updatingRate: 0.3 };

function tune(stage, candidates, seeds = SEEDS) {
  const cells = candidates.flatMap((candidate) =>
    TABLES.map(({ name }) => ({
      key: { stage, table: name, candidate },
      job: { table: name, seeds, tuning: true, given: recipeOf(candidate) },
    })),
  );
  return trainCells(TUNING, TRAIN_CELL, cells, (results) => ({
    balancedAccuracy: results.map((result) => Number(result.balancedAccuracy.toFixed(4))),
  }));
}

/** Every combination of the values. */
function grid(valuesOf) {
  return Object.entries(valuesOf).reduce(
    (partly, [name, values]) => partly.flatMap((candidate) => values.map((value) => ({ ...candidate, [name]: value }))),
    [{}],
  );
}

const recipes = grid({
  learningRate: [1e-3, 3e-3, 1e-2],
  epochs: [60],
  hidden: [[128, 64]],
  dropout: [0, 0.2],
  weightDecay: [0.01],
  batchSize: [128],
});
await tune('grid', recipes);
const found = bestOf('grid').candidate;
const around = [
  { learningRate: 3e-4 },
  { epochs: 120 },
  { hidden: [256, 128] },
  { weightDecay: 0.1 },
  { batchSize: 64 },
];
await tune(
  'around',
  around.map((change) => ({ ...found, ...change })),
);
const rates = grid({ enhancementRate: [1, 3, 10, 30], updatingRate: [0.1, 0.3, 1] });
const recipe = bestOf('grid', 'around').candidate;
const oneHot = { method: 'one-hot', ...recipe };
const enhancement = (rate) => ({ method: 'enhancement', ...rate, ...recipe });
await tune('rates', [oneHot, ...rates.map(enhancement)]);
const best = ranking('rates')
  .map(({ candidate }) => candidate)
  .filter(({ method }) => method === 'enhancement')
  .slice(0, 3);
await tune('finalists', [oneHot, ...best, enhancement(FIRST_RATES)], MORE_SEEDS);

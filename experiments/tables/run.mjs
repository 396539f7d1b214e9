// Trains every method on every table with the defaults: node experiments/tables/run.mjs [method …]. Appends to results.jsonl
// beside itself; may be interrupted.
import { trainCells } from '../cells.mjs';
import { configurationHash, METHODS, RESULTS } from './results.mjs';
import { SEEDS, TABLES, TRAIN_CELL } from './tables.mjs';

const chosen = process.argv.slice(2);
const cells = (chosen.length === 0 ? METHODS : chosen).flatMap((method) =>
  SEEDS.flatMap((seed) =>
    TABLES.map(({ name }) => ({
      key: { method, table: name, seed, configuration: configurationHash(method) },
      job: { table: name, seeds: [seed], tuning: false, given: { method: { name: method } } },
    })),
  ),
);
await trainCells(RESULTS, TRAIN_CELL, cells, ([result]) => result);

// What tuning.jsonl says.
import { fileURLToPath } from 'node:url';
import { readLines } from '../cells.mjs';
import { TABLES } from './tables.mjs';

export const TUNING = fileURLToPath(new URL('tuning.jsonl', import.meta.url));

/** A candidate's part of a configuration. */
export function recipeOf({ learningRate, weightDecay, epochs, batchSize, hidden, dropout, method, ...rates }) {
  return {
    model: { name: 'mlp', hidden, dropout },
    optimizer: { name: 'adamw', learningRate, weightDecay },
    epochs,
    batchSize,
    method: { name: method ?? 'one-hot', ...rates },
  };
}

/**
 * The candidates of some stages, each with its mean balanced accuracy on every table and over the tables; best first. One
 * that is not done on all tables yet is left out.
 */
export function ranking(...stages) {
  const candidates = new Map();
  for (const { candidate, table, balancedAccuracy } of readLines(TUNING).filter(({ stage }) =>
    stages.includes(stage),
  )) {
    const name = JSON.stringify(candidate);
    const known = candidates.get(name) ?? { candidate, tables: new Map() };
    known.tables.set(table, [...(known.tables.get(table) ?? []), ...balancedAccuracy]);
    candidates.set(name, known);
  }
  return [...candidates.values()]
    .filter(({ tables }) => tables.size === TABLES.length)
    .map(({ candidate, tables }) => {
      const means = new Map([...tables].map(([table, values]) => [table, mean(values)]));
      return { candidate, tables: means, mean: mean([...means.values()]) };
    })
    .sort((a, b) => b.mean - a.mean);
}

/** The best candidate of some stages. */
export function bestOf(...stages) {
  const [best] = ranking(...stages);
  if (best === undefined) throw new Error(`${TUNING} has no line of the stages ${stages.join(', ')}; run tune.mjs`);
  return best;
}

/** The candidates for ε and μ that were tried on more splits, with the results of all splits; best first. */
export function finalists() {
  const names = new Set(ranking('finalists').map(({ candidate }) => JSON.stringify(candidate)));
  return ranking('rates', 'finalists').filter(({ candidate }) => names.has(JSON.stringify(candidate)));
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

import { type ConfigInput, UserError } from 'evenhand';
import { describeIssue, faultsOf } from 'evenhand/config';
import { sampleStatistics } from 'evenhand/evaluation';
import { readJsonLines } from 'evenhand/files';
import { z } from 'zod';
import { SEVEN_TABLES, type SevenTable } from './seven-tables.js';

/** A candidate for the defaults. Its keys are in the order in which lines have them. */
const candidateSchema = z.object({
  /** One-hot labels if left out. */
  method: z.enum(['one-hot', 'enhancement']).exactOptional(),
  enhancementRate: z.number().exactOptional(),
  updatingRate: z.number().exactOptional(),
  learningRate: z.number(),
  epochs: z.int(),
  hidden: z.array(z.int()),
  dropout: z.number(),
  weightDecay: z.number(),
  batchSize: z.int(),
});
export type Candidate = z.output<typeof candidateSchema>;

/**
 * `grid` of learning rate and dropout; single changes `around` its best; then, with the best of both, the `rates` ε and μ; and the
 * best of those, the `finalists`, on more splits.
 */
const STAGES = ['grid', 'around', 'rates', 'finalists'] as const;
export type Stage = (typeof STAGES)[number];

const tuningLineSchema = z.object({
  stage: z.enum(STAGES),
  table: z.enum(SEVEN_TABLES),
  candidate: candidateSchema,
  /** Of each split. */
  balancedAccuracy: z.array(z.number()),
});
type TuningLine = z.output<typeof tuningLineSchema>;

/** A candidate's part of a configuration. */
export function recipeOf({ learningRate, weightDecay, epochs, batchSize, hidden, dropout, ...encoding }: Candidate) {
  const { method: name = 'one-hot', ...rates } = encoding;
  return {
    model: { name: 'mlp', hidden, dropout },
    optimizer: { name: 'adamw', learningRate, weightDecay },
    epochs,
    batchSize,
    method: name === 'one-hot' ? { name } : { name, ...rates },
  } satisfies Partial<ConfigInput>;
}

/** What a candidate came to. */
export interface RankedCandidate {
  readonly candidate: Candidate;
  /** Mean balanced accuracy on every table. */
  readonly tables: ReadonlyMap<SevenTable, number>;
  /** Over the tables. */
  readonly mean: number;
}

/** The candidates that were tried. */
export class TuningRanking {
  readonly #lines: readonly TuningLine[];

  constructor(lines: readonly TuningLine[]) {
    this.#lines = lines;
  }

  /** The candidates of some stages, best first. One that is not done on all tables yet is left out. */
  of(...stages: readonly Stage[]): RankedCandidate[] {
    const candidates = new Map<string, { candidate: Candidate; tables: Map<SevenTable, number[]> }>();
    for (const { candidate, table, balancedAccuracy } of this.#lines.filter(({ stage }) => stages.includes(stage))) {
      const name = JSON.stringify(candidate);
      const known = candidates.get(name) ?? { candidate, tables: new Map<SevenTable, number[]>() };
      known.tables.set(table, [...(known.tables.get(table) ?? []), ...balancedAccuracy]);
      candidates.set(name, known);
    }
    return [...candidates.values()]
      .filter(({ tables }) => tables.size === SEVEN_TABLES.length)
      .map(({ candidate, tables }) => {
        const means = new Map([...tables].map(([table, values]) => [table, sampleStatistics(values).mean]));
        return { candidate, tables: means, mean: sampleStatistics([...means.values()]).mean };
      })
      .sort((a, b) => b.mean - a.mean);
  }

  /** The best candidate of some stages. */
  best(...stages: readonly Stage[]): Candidate {
    const [best] = this.of(...stages);
    if (best === undefined) throw new Error(`internal: no candidate of the stages ${stages.join(', ')} is complete`);
    return best.candidate;
  }

  /** The candidates for ε and μ that were tried on more splits, with the results of all splits; best first. */
  finalists(): RankedCandidate[] {
    const names = new Set(this.of('finalists').map(({ candidate }) => JSON.stringify(candidate)));
    return this.of('rates', 'finalists').filter(({ candidate }) => names.has(JSON.stringify(candidate)));
  }
}

/**
 * Reads the lines of tuning.
 *
 * @throws {@link UserError} that names the line which does not fit
 */
export async function readTuningRanking(file: string): Promise<TuningRanking> {
  const lines = (await readJsonLines(file)).map((line, i) => {
    const { data, error } = tuningLineSchema.safeParse(line, { error: describeIssue });
    if (error === undefined) return data;
    throw new UserError(
      `${file}: line ${i + 1} is not the result of a tuning run: ${faultsOf(error, line)[0]}. Correct or remove it`,
    );
  });
  return new TuningRanking(lines);
}

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { UserError } from 'evenhand';
import { describeIssue, faultsOf, type MethodName } from 'evenhand/config';
import { readJsonLines } from 'evenhand/files';
import { z } from 'zod';
import { configOf, SEEDS, SEVEN_TABLES, type SevenTable } from './seven-tables.js';
import type { PlannedLine } from './train-lines.js';

/** The methods that are compared. */
export const COMPARED_METHODS = [
  'one-hot',
  'enhancement',
  're-weighting',
  'cost-sensitiveness',
  'class-balanced',
  'logit-adjustment',
  'over-sampling',
] as const satisfies readonly MethodName[];
export type ComparedMethod = (typeof COMPARED_METHODS)[number];

/** The models of scikit-learn beside them. */
export const RIVALS = ['LogisticRegression', 'RandomForest', 'HistGradientBoosting'] as const;
export type Rival = (typeof RIVALS)[number];

const share = z.number().min(0).max(1);

const comparisonLineSchema = z.object({
  method: z.enum([...COMPARED_METHODS, ...RIVALS]),
  table: z.enum(SEVEN_TABLES),
  seed: z.int(),
  /** {@link configurationHash}; of our own methods only. */
  configuration: z.string().exactOptional(),
  /** Of scikit-learn only. */
  version: z.string().exactOptional(),
  classWeight: z.string().nullable().exactOptional(),
  balancedAccuracy: share,
  macroF1: share,
  accuracy: share,
});

/** A method on a table with a seed. */
export type ComparisonLine = z.output<typeof comparisonLineSchema>;

/** What the lines have of the present defaults. */
export class ComparisonResults {
  readonly #lines: readonly ComparisonLine[];

  constructor(lines: readonly ComparisonLine[]) {
    const hashes = new Map<string, string>(COMPARED_METHODS.map((method) => [method, configurationHash(method)]));
    this.#lines = lines
      .filter(({ method, configuration }) => configuration === hashes.get(method))
      .sort((a, b) => a.seed - b.seed);
  }

  /** The results of a method on a table, by seed ascending. */
  of(method: ComparedMethod | Rival, table: SevenTable): ComparisonLine[] {
    return this.#lines.filter((line) => line.method === method && line.table === table);
  }

  /** Whether a method is done on all tables. */
  isComplete(method: ComparedMethod | Rival): boolean {
    return SEVEN_TABLES.every((table) => this.of(method, table).length === SEEDS.length);
  }
}

/**
 * Reads the lines of a comparison.
 *
 * @throws {@link UserError} that names the line which does not fit
 */
export async function readComparison(file: string): Promise<ComparisonResults> {
  const lines = (await readJsonLines(file)).map((line, i) => {
    const { data, error } = comparisonLineSchema.safeParse(line, { error: describeIssue });
    if (error === undefined) return data;
    throw new UserError(
      `${file}: line ${i + 1} is not a result of the comparison: ${faultsOf(error, line)[0]}. Remove it`,
    );
  });
  return new ComparisonResults(lines);
}

/** Of all that a run of a method is told beside the data: results of other defaults are not those of these. */
export function configurationHash(method: ComparedMethod): string {
  const { data, seed, ...rest } = configOf(SEVEN_TABLES[0], 0, { method: { name: method } });
  const { validationPerClass, duplicatesTogether } = data;
  const told = JSON.stringify({ validationPerClass, duplicatesTogether, ...rest });
  return createHash('sha256').update(told).digest('hex').slice(0, 12);
}

/** What is compared. All if left out. */
export interface ComparisonSelection {
  readonly methods?: readonly ComparedMethod[];
  readonly tables?: readonly SevenTable[];
  /** How many of the seeds. */
  readonly seeds?: number;
}

/** A line for every method, seed and table, trained with the defaults. */
export function comparisonLines({
  methods = COMPARED_METHODS,
  tables = SEVEN_TABLES,
  seeds = SEEDS.length,
}: ComparisonSelection): PlannedLine[] {
  return methods.flatMap((method) => {
    const configuration = configurationHash(method);
    return SEEDS.slice(0, seeds).flatMap((seed) =>
      tables.map((table) => ({
        key: { method, table, seed, configuration },
        trials: [
          {
            key: join('comparison', configuration, table, method, String(seed)),
            config: configOf(table, seed, { method: { name: method } }),
          },
        ],
        measured: ([evaluation]) => {
          if (evaluation === undefined) throw new Error('internal: a line without a run');
          const { accuracy, balancedAccuracy, macro } = evaluation.report;
          return { balancedAccuracy, macroF1: macro.f1.value, accuracy };
        },
      })),
    );
  });
}

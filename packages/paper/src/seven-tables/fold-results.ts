import { UserError } from 'evenhand';
import { describeIssue, faultsOf } from 'evenhand/config';
import { readJsonLines } from 'evenhand/files';
import { z } from 'zod';
import { codeShape } from '../results/code-version.js';
import type { FoldMeasures } from './measures.js';

/** One test fold of a table, once. */
export interface FoldKey {
  readonly table: string;
  readonly repeat: number;
  readonly fold: number;
}

const share = z.number().min(0).max(1);

const foldResultSchema = z.object({
  learner: z.string(),
  table: z.string(),
  repeat: z.int().min(0),
  fold: z.int().min(0),
  /** Hash of what our learner was told; others have none. */
  configuration: z.string().exactOptional(),
  balancedAccuracy: share,
  macroF1: share,
  gMean: share,
  macroAveragePrecision: share,
  logLoss: z.number().min(0),
  calibrationError: share,
  /** Of the processor, to train and to answer. */
  seconds: z.number().min(0),
  /** Of the training rows, each by the network that has not seen it, before answers are fitted; of a pack of networks. */
  outOfFold: z.strictObject({ balancedLogLoss: z.number(), softAccuracy: share }).exactOptional(),
  /** Of the libraries of a peer. */
  version: z.string().exactOptional(),
  ...codeShape,
});

/** A learner on a fold. */
export type FoldResult = z.output<typeof foldResultSchema>;

/** Checks a result that another process measured. */
export function foldResult(line: object): FoldResult {
  return foldResultSchema.parse(line);
}

/** What is compared, and what it cost. */
export type MeasureName = keyof FoldMeasures | 'seconds';

/** The text that says which fold it is: `glass 0 4`. */
export function textOfKey({ table, repeat, fold }: FoldKey): string {
  return `${table} ${repeat} ${fold}`;
}

/**
 * Results of learners, fold by fold. Where a learner was configured in several ways under one name, the last one counts.
 */
export class FoldResults {
  readonly #learners = new Map<string, Map<string, FoldResult>>();
  readonly #configurations = new Map<string, string | undefined>();

  constructor(lines: readonly FoldResult[]) {
    for (const { learner, configuration } of lines) this.#configurations.set(learner, configuration);
    for (const line of lines) {
      if (line.configuration !== this.#configurations.get(line.learner)) continue;
      const own = this.#learners.get(line.learner) ?? new Map<string, FoldResult>();
      this.#learners.set(line.learner, own.set(textOfKey(line), line));
    }
  }

  get learners(): string[] {
    return [...this.#learners.keys()];
  }

  /** What a learner was told, as a hash. */
  configurationOf(learner: string): string | undefined {
    return this.#configurations.get(learner);
  }

  /** The results of a learner on these folds; those that it does not have are left out. */
  of(learner: string, keys: readonly FoldKey[]): FoldResult[] {
    const own = this.#learners.get(learner);
    return keys.flatMap((key) => own?.get(textOfKey(key)) ?? []);
  }
}

/**
 * Reads lines of results; none if there is no file.
 *
 * @throws {@link UserError} that names the line which is not a result
 */
export async function readFoldResults(file: string): Promise<FoldResult[]> {
  return (await readJsonLines(file)).map((line, i) => {
    const { data, error } = foldResultSchema.safeParse(line, { error: describeIssue });
    if (error === undefined) return data;
    throw new UserError(`${file}: line ${i + 1} is not the result of a fold: ${faultsOf(error, line)[0]}. Remove it`);
  });
}

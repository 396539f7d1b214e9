import { UserError } from 'evenhand';
import { configHash, configSchema, describeIssue, faultsOf } from 'evenhand/config';
import { readJsonLines } from 'evenhand/files';
import { z } from 'zod';
import { codeShape } from '../results/code-version.js';
import type { BudgetKey, BudgetRun } from './runs.js';

const share = z.number().min(0).max(1);

const scoresSchema = z.strictObject({ top1: share, recall: z.array(share) });

/** What was measured on a part of the images: top-1, and the recall of each class. */
export type PartScores = z.output<typeof scoresSchema>;

const measuredShape = {
  /** Of the images that choices are made by. */
  reserved: scoresSchema,
  /** Of MNIST's test images. */
  test: scoresSchema,
  /** Of the processor. */
  seconds: z.number().min(0),
};

const runShape = {
  row: z.string(),
  draw: z.int().min(0),
  seed: z.int().min(0),
  configHash: z.string(),
  config: configSchema,
  ...codeShape,
};

const runLineSchema = z.union([
  z.strictObject({ ...runShape, ...measuredShape }),
  /** Its training diverged, as it would again. */
  z.strictObject({ ...runShape, diverged: z.string() }),
]);

/** A finished run: a line of results. */
export type RunLine = z.output<typeof runLineSchema>;

/** A run that was measured. */
export type MeasuredRun = Extract<RunLine, { readonly test: PartScores }>;

type Outcome<Line> = Line extends RunLine ? Omit<Line, keyof typeof runShape> : never;

/** What came of a run. */
export type BudgetOutcome = Outcome<RunLine>;

/** Checks a line that another process measured. */
export function runLine(run: BudgetRun, outcome: object): RunLine {
  return runLineSchema.parse({ ...run, ...outcome });
}

/**
 * The lines of a file; none if there is no file. Options that a line's configuration does not know have their defaults, and its hash is
 * that of the configuration as it is read.
 *
 * @throws {@link UserError} that names the line which is not a result
 */
export async function readRunLines(file: string): Promise<RunLine[]> {
  return (await readJsonLines(file)).map((line, i) => {
    const { data, error } = runLineSchema.safeParse(line, { error: describeIssue });
    if (error === undefined) return { ...data, configHash: configHash(data.config) };
    throw new UserError(
      `${file}: line ${i + 1} is not the result of a run: ${faultsOf(error, line)[0]}. Remove it, and it is trained again`,
    );
  });
}

/** The line of a run as it is configured now. */
export function lineOf(run: BudgetRun, lines: readonly RunLine[]): RunLine | undefined {
  return lines.find((line) => line.configHash === run.configHash && isSameRun(line, run));
}

function isSameRun(one: BudgetKey, other: BudgetKey): boolean {
  return one.row === other.row && one.draw === other.draw && one.seed === other.seed;
}

import { join } from 'node:path';
import { z } from 'zod';
import type { ColumnImportance } from '../evaluation/column-importance.js';
import type { Estimate } from '../evaluation/estimate.js';
import { commandLine } from '../wording/command-line.js';
import { estimateSchema } from './evaluation-file.js';
import { readJsonFile } from './json-file.js';
import { RUN_FILES } from './run-files.js';

/** The content of `importance.json`: what the model would lose without each column, measured on rows that it has not learned from. */
export interface ImportanceReport {
  /** With folds each training row, by the networks that left it out; the test set of a single network. */
  readonly measured: 'out of fold' | 'test set';
  /** How many rows were answered again, and how often each column was permuted. */
  readonly rows: number;
  readonly permutations: number;
  /** Of those rows, as they are. */
  readonly before: { readonly balancedLogLoss: number; readonly balancedAccuracy: number };
  /** From the most to the least important. */
  readonly columns: readonly NamedImportance[];
  /**
   * How much permuting a column lowers the recall of each class, in the order of `classNames`; of the most important columns, where
   * there are at most 128 classes.
   */
  readonly perClass: {
    readonly classNames: readonly string[];
    readonly columns: readonly { readonly name: string; readonly recallDrop: readonly Estimate[] }[];
  } | null;
}

/** The importance of a column of the table. */
export interface NamedImportance extends ColumnImportance {
  readonly name: string;
  /** Of models with trees: by how much the splits by it lower the loss in training, as a share of all columns. */
  readonly gain?: number;
}

const count = z.int().min(0);

const importanceSchema: z.ZodType<ImportanceReport> = z.object({
  measured: z.enum(['out of fold', 'test set']),
  rows: count,
  permutations: count,
  before: z.object({ balancedLogLoss: z.number(), balancedAccuracy: z.number() }),
  columns: z
    .array(
      z.object({
        name: z.string(),
        logLossRise: estimateSchema,
        balancedAccuracyDrop: estimateSchema,
        gain: z.number().exactOptional(),
      }),
    )
    .readonly(),
  perClass: z
    .object({
      classNames: z.array(z.string()).readonly(),
      columns: z.array(z.object({ name: z.string(), recallDrop: z.array(estimateSchema).readonly() })).readonly(),
    })
    .nullable(),
});

/** The text of `importance.json`. */
export function formatImportance(report: ImportanceReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

/**
 * Reads what a run's columns are worth.
 *
 * @returns undefined for images, and for a run that was trained without it
 */
export function readImportance(folder: string): Promise<ImportanceReport | undefined> {
  return readJsonFile(join(folder, RUN_FILES.importance), importanceSchema, {
    damaged: `Measure it again: ${commandLine('resume', folder)}`,
  });
}

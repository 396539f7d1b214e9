import { z } from 'zod';
import type { ValidationMetrics } from '../runs/metrics-file.js';
import { openRun } from '../runs/run.js';
import { UserError } from '../user-error.js';
import type { TrialValues } from './domain.js';

const measured = { softAccuracy: z.number(), accuracy: z.number(), softRecall: z.array(z.number().nullable()) };

const identity = {
  trial: z.int(),
  values: z.record(z.string(), z.json()),
  draw: z.int(),
  epoch: z.int(),
  dataset: z.string(),
};

const evaluatedDrawSchema = z.union([
  z.object({ ...identity, ...measured }),
  z.object({ ...identity, diverged: z.literal(true) }),
]);

/** What is to be measured: a trial on one of its validation sets after some epochs. */
export interface DrawToEvaluate {
  readonly trial: number;
  readonly values: TrialValues;
  readonly draw: number;
  /** Complete ones that it should have been trained for. */
  readonly epoch: number;
}

/** A line of `trials.jsonl`: what was measured on the validation set, or that there are no finite numbers. */
export type EvaluatedDraw = DrawToEvaluate & {
  /** Hash of the data. */
  readonly dataset: string;
} & (ValidationMetrics | { readonly diverged: true });

/** The score of a draw; null if training diverged. */
export function scoreOf(draw: EvaluatedDraw): number | null {
  return 'diverged' in draw ? null : draw.softAccuracy;
}

/** Checks lines of `trials.jsonl`. */
export function parseEvaluatedDraws(lines: readonly unknown[], file: string): EvaluatedDraw[] {
  return lines.map((line, i) => {
    const { data, error } = evaluatedDrawSchema.safeParse(line);
    if (error === undefined) return data;
    throw new UserError(`${file}: line ${i + 1} is not the result of a trial; the file is damaged. Start a new sweep`);
  });
}

/** What names the run of a draw among those of the sweep; its path in their folder. */
export function drawKey({ trial, draw }: Pick<DrawToEvaluate, 'trial' | 'draw'>): string {
  return `${trial}/draw-${draw}`;
}

/** What the run of a draw knows of it. */
export async function readDraw(folder: string, draw: DrawToEvaluate): Promise<EvaluatedDraw> {
  const run = await openRun(folder);
  const measuredThen = (await run.metrics())[draw.epoch - 1];
  if (measuredThen === undefined) throw new Error(`internal: ${folder} was not trained for ${draw.epoch} epochs`);
  if (measuredThen.validation === null) throw new Error(`internal: ${folder} has no validation instances`);
  const { softAccuracy, accuracy, softRecall } = measuredThen.validation;
  return { ...draw, dataset: run.environment.dataset.hash, softAccuracy, accuracy, softRecall };
}

/** A draw whose training diverged. */
export async function divergedDraw(folder: string, draw: DrawToEvaluate): Promise<EvaluatedDraw> {
  const run = await openRun(folder);
  return { ...draw, dataset: run.environment.dataset.hash, diverged: true };
}

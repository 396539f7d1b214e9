import { parseStrictJson } from '@evenhand/engine';
import { z } from 'zod';
import { UserError } from '../user-error.js';

/** The version of the checkpoints that are written; all up to it are read. */
export const CHECKPOINT_VERSION = 2;

const count = z.int().min(0);

const progressSchema = z.strictObject({
  /** The epoch that training is in, from 0. */
  epoch: count,
  /** Steps of this epoch that are done. */
  step: count,
  /** Steps of the whole training that are done. */
  globalStep: count,
  /** Lines of `metrics.jsonl` that belong to it; what follows them is done again. */
  metricsLines: count,
  /** Lines of `generator.jsonl` that belong to it. */
  generatorLines: count,
  /** Hash of the configuration that it was trained with. */
  configHash: z.string(),
  /** `contentHash` of the data set that it was trained on. */
  datasetHash: z.string(),
  /** What the method's `toJSON` gave. */
  method: z.unknown(),
  /** What the rest of training remembers, as JSON. */
  training: z.unknown(),
});

/** Where training is, and all that it remembers beside tensors. */
export type Progress = Readonly<z.output<typeof progressSchema>>;

/**
 * Progress as JSON that gives the same values back.
 *
 * @throws TypeError for what JSON would leave out or turn into something else, such as NaN or a Float32Array
 */
export function formatProgress(progress: Progress): string {
  return JSON.stringify(progress, (key, value: unknown) => {
    if (isJson(value)) return value;
    const received = typeof value === 'object' ? value?.constructor.name : String(value);
    throw new TypeError(`internal: "${key}" in a checkpoint's progress is ${received}; expected what JSON can hold`);
  });
}

function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'object' && value !== null) return Array.isArray(value) || value.constructor === Object;
  return value === null || typeof value === 'string' || typeof value === 'boolean';
}

/**
 * Reads what {@link formatProgress} wrote.
 *
 * @throws {@link UserError} that says what is wrong with it
 */
export function parseProgress(json: string, file: string): Progress {
  let progress: unknown;
  try {
    progress = parseStrictJson(json);
  } catch {
    throw new UserError(`${file} has a progress that is not JSON`);
  }
  const result = progressSchema.safeParse(progress);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new UserError(`${file} has a wrong ${issue?.path.join('.')} in its progress: ${issue?.message}`);
}

import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Config } from '../config/schema.js';
import { storePlaceSchema } from '../store/store-place.js';
import type { TrainingEvent } from '../training/events.js';

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** Checks a job that came from the queue. Its configuration is checked by whoever trains it. */
export const trialJobSchema = z.strictObject({
  /** What it is called in logs. */
  name: z.string(),
  /** Who ordered it: the presence that says where its store is. */
  owner: z.string(),
  store: storePlaceSchema,
  config: z.looseObject({}),
  until: z.int().min(1).exactOptional(),
  override: z.boolean(),
  importance: z.boolean(),
  gitCommit: z.string().nullable(),
  data: z.strictObject({
    /** Of the data set as it is opened. */
    hash: z.string(),
    /** The manifest of its files and where in them the source is; without, the worker has it by its name. */
    files: z.strictObject({ manifest: hash, path: z.string() }).exactOptional(),
  }),
  /** The manifest of the run folder to go on from. Newer as checkpoints come in. */
  run: hash.exactOptional(),
});

/** A trial as it waits in the queue. Data and checkpoints are in the store. */
export type TrialJob = z.output<typeof trialJobSchema>;

const reply = {
  /** The manifest of the run folder. */
  run: hash,
  worker: z.string(),
  numerics: z.string(),
};

/** Checks what a worker replied. */
export const trialReplySchema = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.literal('done'), ...reply }),
  z.strictObject({
    outcome: z.literal('diverged'),
    ...reply,
    message: z.string(),
    divergence: z.strictObject({
      epoch: z.int(),
      step: z.int(),
      what: z.string(),
      instances: z.array(z.union([z.string(), z.number()])),
    }),
    options: z.array(z.string()),
  }),
]);

/** What a worker replies. That training diverged is a result, as it would diverge again. */
export type TrialReply = z.output<typeof trialReplySchema>;

/** What a worker tells while it trains. */
export interface TrialProgress {
  readonly worker: string;
  /** The manifest of the newest checkpoint that is in the store. */
  readonly run?: string;
  /** What happened since it was told last. */
  readonly events: readonly TrainingEvent[];
}

/** Whether something is what a worker of this version tells. */
export function isProgress(value: unknown): value is TrialProgress {
  return (
    typeof value === 'object' && value !== null && 'worker' in value && 'events' in value && Array.isArray(value.events)
  );
}

/** What a trial's result depends on. */
export interface TrialIdentity {
  /** Which run it is: a sweep may try the same values twice. */
  readonly name: string;
  readonly config: Config;
  readonly dataHash: string;
  readonly until: number | undefined;
  readonly importance: boolean;
  /** Of evenhand, ONNX Runtime and Node. */
  readonly versions: readonly string[];
}

/**
 * The id of a trial's job: the SHA-256 of all that its result depends on, behind whose store the result goes to. Who asks for the
 * same trial again, be it after its death, finds the job that is there.
 */
export function jobId(owner: string, { name, config, dataHash, until, importance, versions }: TrialIdentity): string {
  const text = JSON.stringify([name, config, dataHash, until ?? null, importance, versions]);
  return `${owner}-${createHash('sha256').update(text).digest('hex')}`;
}

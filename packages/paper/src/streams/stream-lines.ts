import { codeVersion, UserError } from 'evenhand';
import { describeIssue, faultsOf } from 'evenhand/config';
import { appendJsonLine, readJsonLines } from 'evenhand/files';
import { z } from 'zod';
import { codeShape } from '../results/code-version.js';
import { withLockedLines } from '../results/locked-lines.js';
import { OUR_LEARNERS } from './learners.js';
import { measureStream } from './measure.js';
import { rowsOf } from './rows.js';
import { type Answered, answersOfOurs, answersOfPeers } from './run-learners.js';
import type { ComparedStream } from './streams.js';

const share = z.number().min(0).max(1);

const lineSchema = z.strictObject({
  stream: z.string(),
  learner: z.string(),
  seed: z.int().min(0),
  gMean: share,
  balancedAccuracy: share,
  accuracy: share,
  curve: z.array(share),
  /** Of the processor. */
  seconds: z.number().min(0),
  ...codeShape,
});

/** A learner on a stream: a line of results. */
export type StreamLine = z.output<typeof lineSchema>;

/**
 * The lines of a file; none if there is no file.
 *
 * @throws {@link UserError} that names the line which is not a result
 */
export async function readStreamLines(file: string): Promise<StreamLine[]> {
  return (await readJsonLines(file)).map((line, i) => {
    const { data, error } = lineSchema.safeParse(line, { error: describeIssue });
    if (error === undefined) return data;
    throw new UserError(
      `${file}: line ${i + 1} is not a result: ${faultsOf(error, line)[0]}. Remove it, and it is measured again`,
    );
  });
}

/** What is to be measured. */
export interface StreamRuns {
  readonly streams: readonly ComparedStream[];
  readonly learners: readonly string[];
  readonly seeds: number;
  /** A Python with scikit-learn; without it peers are left out. */
  readonly python: string | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

/** Measures what has no line in the file yet. */
export async function runStreams(file: string, runs: StreamRuns): Promise<void> {
  const { streams, learners, seeds, signal, onProgress } = runs;
  await withLockedLines(file, async () => {
    const done = new Set((await readStreamLines(file)).map(keyOf));
    const code = await codeVersion();
    for (let seed = 0; seed < seeds; seed++) {
      for (const stream of streams) {
        const missing = learners.filter((learner) => !done.has(keyOf({ stream: stream.name, learner, seed })));
        for await (const [learner, { answers, seconds }, labels] of answered(stream, seed, missing, runs)) {
          const line = { stream: stream.name, learner, seed, ...measureStream(labels, answers), seconds };
          await appendJsonLine(file, { ...line, code });
          onProgress(`${stream.name}, seed ${seed}, ${learner}: G-mean ${(100 * line.gMean).toFixed(1)}`);
          signal.throwIfAborted();
        }
      }
    }
  });
}

async function* answered(
  stream: ComparedStream,
  seed: number,
  learners: readonly string[],
  { python }: StreamRuns,
): AsyncGenerator<[learner: string, answered: Answered, labels: readonly number[]]> {
  if (learners.length === 0) return;
  const rows = await rowsOf(stream, seed);
  const labels = rows.instances.map(({ label }) => label);
  const ours = learners.filter((learner) => Object.hasOwn(OUR_LEARNERS, learner));
  for (const learner of ours) yield [learner, await answersOfOurs(learner, rows, seed), labels];
  const peers = learners.filter((learner) => !ours.includes(learner));
  if (python === undefined || peers.length === 0) return;
  for (const [learner, answers] of await answersOfPeers(python, peers, rows, seed)) yield [learner, answers, labels];
}

function keyOf({ stream, learner, seed }: Pick<StreamLine, 'stream' | 'learner' | 'seed'>): string {
  return JSON.stringify([stream, learner, seed]);
}

import { join } from 'node:path';
import { openRun, type TestEvaluation, type Trial, trainAll, UserError } from 'evenhand';
import { appendJsonLine, readJsonLines } from 'evenhand/files';
import { withLockedLines } from '../results/locked-lines.js';

/** A line of results, and the training runs that it comes from. */
export interface PlannedLine {
  /** What the line begins with, and is known by. */
  readonly key: object;
  readonly trials: readonly Trial[];
  /** What else is in the line, from the evaluations of the trials in their order. */
  readonly measured: (evaluations: readonly TestEvaluation[]) => object;
}

/** How lines are trained. */
export interface TrainLinesOptions {
  /** Holds the run folders. */
  readonly folder: string;
  readonly processes?: number | undefined;
  readonly signal?: AbortSignal;
  /** Is told how far it is. */
  readonly onProgress: (text: string) => void;
}

/**
 * Trains what a file of results has no line of yet, and appends a line as soon as all of its runs are complete.
 *
 * @throws {@link UserError} in the end if some could not be trained, so that nobody goes on with half of the results
 */
export function trainLines(file: string, planned: readonly PlannedLine[], options: TrainLinesOptions): Promise<void> {
  return withLockedLines(file, async () => {
    const known = (await readJsonLines(file)).map((line) => JSON.stringify(line));
    const missing = planned.filter(({ key }) => !known.some((line) => line.startsWith(startOf(key))));
    const { onProgress, ...how } = options;
    onProgress(`${file}: ${missing.length} of ${planned.length} lines are missing`);
    let failed = 0;
    const unfinished = new Map(missing.map((line) => [line, line.trials.length]));
    const trials = missing.flatMap((line) => line.trials.map((trial) => ({ ...trial, line })));
    await trainAll(trials, {
      ...how,
      onResult: async (ended) => {
        const { line, key } = ended.trial;
        if (ended.status !== 'done') {
          failed++;
          onProgress(`${key} has no result: ${ended.error.message}`);
          return;
        }
        await (await openRun(ended.folder)).removeCheckpoints();
        const left = (unfinished.get(line) ?? 0) - 1;
        unfinished.set(line, left);
        if (left > 0) return;
        const runs = await Promise.all(line.trials.map((trial) => openRun(join(how.folder, trial.key))));
        const measured = line.measured(await Promise.all(runs.map((run) => run.evaluation())));
        await appendJsonLine(file, { ...line.key, ...measured });
        onProgress(`${key} is done`);
      },
    });
    if (failed > 0) {
      throw new UserError(
        `${failed} of ${trials.length} runs have no result, see above; the same command tries them again`,
      );
    }
  });
}

/** How a line with this key begins. */
function startOf(key: object): string {
  return `${JSON.stringify(key).slice(0, -1)},`;
}

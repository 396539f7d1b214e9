import { fileURLToPath } from 'node:url';
import { withLockedLines } from '../results/locked-lines.js';
import { type LineJob, type RunLineJobsOptions, runLineJobs } from '../runner/run-line-jobs.js';
import { type FoldOrder, type Variant, variantHash } from './fold-job.js';
import { type FoldKey, FoldResults, foldResult, readFoldResults, textOfKey } from './fold-results.js';

const PROCESS = fileURLToPath(new URL('./fold-process.js', import.meta.url));

/** How folds are learned. */
export interface RunFoldsOptions extends RunLineJobsOptions {
  readonly tablesFolder: string;
}

/**
 * Learns the folds that a file has no line of, each in a process of its own, and appends a line for each.
 *
 * @param variants - configurations of our learner, by their names
 * @throws {@link UserError} in the end if some could not be learned
 */
export function runFolds(
  file: string,
  variants: ReadonlyMap<string, Variant>,
  keys: readonly FoldKey[],
  options: RunFoldsOptions,
): Promise<void> {
  const { tablesFolder, onProgress } = options;
  return withLockedLines(file, async () => {
    const lines = await readFoldResults(file);
    const learners = [...variants].map(([learner, variant]) => {
      const configuration = variantHash(variant);
      const known = new FoldResults(lines.filter((line) => line.configuration === configuration));
      return { learner, variant, configuration, known };
    });
    // A fold of all before the next one, so that early results are about all of them.
    const missing = keys.flatMap((key) =>
      learners
        .filter(({ learner, known }) => known.of(learner, [key]).length === 0)
        .map(
          ({ learner, variant, configuration }): LineJob => ({
            title: `${learner}, ${textOfKey(key)}`,
            order: { ...key, tablesFolder, variant } satisfies FoldOrder,
            finish: (learned) => {
              const line = foldResult({ learner, ...key, configuration, ...learned });
              return { line, outcome: `balanced accuracy ${(100 * line.balancedAccuracy).toFixed(1)}` };
            },
          }),
        ),
    );
    onProgress(`${file}: ${missing.length} of ${variants.size * keys.length} folds are missing`);
    await runLineJobs(file, missing, { program: PROCESS, what: 'folds' }, options);
  });
}

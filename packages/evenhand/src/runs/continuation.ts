import { configDifference, configHash } from '../config/difference.js';
import type { Config } from '../config/schema.js';
import { UserError } from '../user-error.js';

/** What a run folder says that was trained. */
interface Saved {
  readonly config: Config;
  /** Hash of the configuration in the moment of the checkpoint. */
  readonly configHash: string;
  readonly datasetHash: string;
}

/** Characters of a hash that a message shows. */
const SHOWN = 12;

/**
 * Makes sure that a run goes on with the configuration and the data that it was begun with.
 *
 * @throws {@link UserError} that lists every difference
 */
export function checkUnchanged(
  path: string,
  saved: Saved,
  now: { readonly config: Config; readonly datasetHash: string },
): void {
  const differences = configDifference(saved.config, now.config).map(
    ({ path: option, before, after }) => `${option}: ${show(before)} in the run, ${show(after)} now`,
  );
  if (differences.length === 0 && saved.configHash !== configHash(now.config)) {
    differences.push('config.json: it is not that of the checkpoint; it was edited, or an override was cut off');
  }
  if (saved.datasetHash !== now.datasetHash) {
    const [before, after] = [saved.datasetHash, now.datasetHash].map((hash) => hash.slice(0, SHOWN));
    differences.push(`the data: content ${before}… in the run, ${after}… now`);
  }
  if (differences.length === 0) return;
  throw new UserError(
    `${path} was trained with something else:\n  ${differences.join('\n  ')}\n` +
      'Resume it with what it was trained with, override this explicitly, or start a new run',
    { options: ['override'] },
  );
}

function show(value: unknown): string {
  return value === undefined ? 'not set' : JSON.stringify(value);
}

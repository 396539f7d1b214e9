import { UserError } from '../user-error.js';
import { configWith, type GivenConfig } from './base-config.js';
import { combination, examplesOf, type Parameter, searchError } from './domain.js';

/** More combinations than these are not all tried before training. */
const MOST_TRIED = 2000;

/**
 * Refuses what makes trials incomparable, and values that make no configuration, as far as some combinations can tell.
 *
 * @param config - what the trials share
 */
export function checkSearch(config: GivenConfig, parameters: readonly Parameter[]): void {
  const { data } = config;
  if (typeof data === 'object' && data !== null && 'validationDraw' in data) {
    throw new UserError('data.validationDraw is set, and every draw of a sweep has its own; leave it out');
  }
  for (const { path } of parameters) {
    const reason = reasonAgainst(path);
    if (reason !== undefined) throw searchError(path, `${reason}; search something else`);
  }
  const paths = parameters.map(({ path }) => path);
  for (const values of someCombinations(parameters.map(({ domain }) => examplesOf(domain)))) {
    configWith(config, Object.fromEntries(paths.map((path, i) => [path, values[i]])));
  }
}

function reasonAgainst(path: string): string | undefined {
  if (path === 'seed') return 'a seed is not better than another; every draw has its own';
  if (path === 'threads' || path === 'device') return 'it decides how fast training is, not how good';
  if (path.split('.')[0] !== 'data' || path === 'data.imageSize') return undefined;
  return 'all trials have the same data, or they could not be compared';
}

/** All of them if they are few; else every value once, beside the first ones of the others. */
function someCombinations(lists: readonly (readonly unknown[])[]): unknown[][] {
  const all = lists.reduce((product, list) => product * list.length, 1);
  if (all <= MOST_TRIED) return Array.from({ length: all }, (_, index) => combination(lists, index));
  return lists.flatMap((list, changed) =>
    list.map((value) => lists.map((other, i) => (i === changed ? value : other[0]))),
  );
}

import { configDifference } from '../config/difference.js';
import type { Config } from '../config/schema.js';
import { comparePaired, type PairedComparison } from '../evaluation/paired-comparison.js';
import { meanAndDeviation } from './numbers.js';
import type { CompleteRun, Results } from './read-run.js';

/** Metrics that runs are compared by. */
export const COMPARED = ['accuracy', 'balancedAccuracy', 'minorityAccuracy', 'macroF1'] as const;

type Compared = (typeof COMPARED)[number];

/** Runs that differ in nothing but their seed. */
export interface RunGroup {
  /** What sets it apart from the other groups. */
  readonly name: string;
  /** By seed. */
  readonly runs: readonly CompleteRun[];
}

/** A group against the first one, over the seeds that both have. */
export interface GroupDifference {
  readonly name: string;
  readonly against: string;
  /** Null with the reason where the runs do not make pairs. */
  readonly paired: ReadonlyMap<Compared, PairedComparison> | { readonly reason: string };
}

/** Puts runs into groups; one-hot labels, which others are measured against, come first. */
export function groupRuns(runs: readonly CompleteRun[]): RunGroup[] {
  const groups: CompleteRun[][] = [];
  for (const run of runs) {
    const own = groups.find(([first]) => first !== undefined && differInSeedOnly(first.config, run.config));
    if (own === undefined) groups.push([run]);
    else own.push(run);
  }
  const isBaseline = ([run]: readonly CompleteRun[]) => (run?.config.method.name === 'one-hot' ? 0 : 1);
  groups.sort((a, b) => isBaseline(a) - isBaseline(b));
  const names = namesOf(groups.flatMap(([first]) => (first === undefined ? [] : [first.config])));
  return groups.map((members, i) => ({
    name: names[i] ?? '',
    runs: [...members].sort((a, b) => a.config.seed - b.config.seed),
  }));
}

function differInSeedOnly(one: Config, other: Config): boolean {
  return configDifference(one, other).every(({ path }) => path === 'seed');
}

/** The method's name, and what else sets configurations apart; a method's own options only from others of that method. */
function namesOf(configs: readonly Config[]): string[] {
  return configs.map((config) => {
    const values = new Map<string, unknown>();
    for (const other of configs) {
      const sameMethod = other.method.name === config.method.name;
      for (const { path, after } of configDifference(other, config)) {
        if (path !== 'seed' && (sameMethod || !path.startsWith('method.'))) values.set(path, after);
      }
    }
    const shown = [...values].map(([path, value]) => `${path.replace(/^.*\./, '')}=${JSON.stringify(value) ?? 'none'}`);
    return [config.method.name, ...shown].join(' ');
  });
}

/** A metric's mean and deviation over a group's seeds; null if it is undefined in one of them. */
export function overSeeds(group: RunGroup, value: (results: Results) => number | null | undefined) {
  const values = group.runs.map(({ results }) => value(results) ?? null);
  const defined = values.filter((found) => found !== null);
  return defined.length < values.length || defined.length === 0 ? null : meanAndDeviation(defined);
}

/** Every group against the first. */
export function differences(groups: readonly RunGroup[]): GroupDifference[] {
  const [first, ...others] = groups;
  if (first === undefined) return [];
  return others.map((group) => ({ name: group.name, against: first.name, paired: paired(group, first) }));
}

function paired(ours: RunGroup, theirs: RunGroup): GroupDifference['paired'] {
  const pairs = ours.runs.flatMap((run) => {
    const other = theirs.runs.find(({ config }) => config.seed === run.config.seed);
    return other === undefined ? [] : [[run, other] as const];
  });
  const [pair] = pairs;
  if (pair === undefined) return { reason: 'they have no seed in common' };
  if (pairs.some(([run, other]) => !sameTest(run, other))) return { reason: 'they were tested with different data' };
  const found = new Map<Compared, PairedComparison>();
  for (const metric of COMPARED) {
    const values = pairs.map((both) => both.map(({ results }) => results.estimates[metric].value));
    const defined = values.flatMap(([a, b]) =>
      typeof a === 'number' && typeof b === 'number' ? [[a, b] as const] : [],
    );
    if (defined.length > 0)
      found.set(
        metric,
        comparePaired(
          defined.map(([a]) => a),
          defined.map(([, b]) => b),
        ),
      );
  }
  return found;
}

/** The same data, split in the same way. */
function sameTest(one: CompleteRun, other: CompleteRun): boolean {
  if (one.environment.dataset.hash !== other.environment.dataset.hash) return false;
  const { source: _, ...split } = one.config.data;
  const { source: __, ...otherSplit } = other.config.data;
  return JSON.stringify(split) === JSON.stringify(otherSplit);
}

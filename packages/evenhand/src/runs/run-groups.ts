import { at } from '../checked-access.js';
import { configDifference, leaves } from '../config/difference.js';
import type { Config } from '../config/schema.js';
import { UserError } from '../user-error.js';

/** What is known of every run. */
interface Run {
  readonly folder: string;
  readonly config: Config;
}

/** Runs that differ in nothing but their split, their seed, and by what they were computed. */
export interface RunGroup<Member extends Run> {
  /** The method's name, and what else sets the group apart from the others. */
  readonly name: string;
  /** By split, then by seed; none twice. */
  readonly runs: readonly Member[];
}

/** Options that may differ within a group. */
const FREE = ['data.splitSeed', 'seed', 'threads', 'device'];

/** When held-out instances train is a matter of the method, too: those that do not measure hold out nothing. */
const GIVE_BACK = 'data.giveBack';

/**
 * Puts runs into groups; one-hot labels, which others are measured against, come first.
 *
 * @throws {@link UserError} if a group would have a seed twice with the same split
 */
export function groupRuns<Member extends Run>(runs: readonly Member[]): RunGroup<Member>[] {
  const groups: Member[][] = [];
  for (const run of runs) {
    const own = groups.find(([first]) => first !== undefined && differences(first.config, run.config).length === 0);
    if (own === undefined) groups.push([run]);
    else own.push(run);
  }
  const isBaseline = ([run]: readonly Member[]) => (run?.config.method.name === 'one-hot' ? 0 : 1);
  groups.sort((a, b) => isBaseline(a) - isBaseline(b));
  const names = namesOf(groups.flatMap(([first]) => (first === undefined ? [] : [first.config])));
  return groups.map((members, i) => ({ name: at(names, i), runs: inOrder(members) }));
}

/** The same text for runs that belong into one group. */
export function groupKey(config: Config): string {
  const told = [...leaves(config)].filter(([path]) => !FREE.includes(path)).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(told);
}

function differences(one: Config, other: Config): ReturnType<typeof configDifference> {
  return configDifference(one, other).filter(({ path }) => !FREE.includes(path));
}

/** The method's name, and what else sets configurations apart; a method's own options only from others of that method. */
function namesOf(configs: readonly Config[]): string[] {
  return configs.map((config) => {
    const values = new Map<string, unknown>();
    for (const other of configs) {
      const sameMethod = other.method.name === config.method.name;
      for (const { path, after } of differences(other, config)) {
        if (sameMethod || !(path.startsWith('method.') || path === GIVE_BACK)) values.set(path, after);
      }
    }
    const shown = [...values].map(([path, value]) => `${path.replace(/^.*\./, '')}=${JSON.stringify(value) ?? 'none'}`);
    return [config.method.name, ...shown].join(' ');
  });
}

function inOrder<Member extends Run>(members: readonly Member[]): Member[] {
  const split = ({ config }: Member) => config.data.splitSeed;
  const sorted = [...members].sort((a, b) => split(a) - split(b) || a.config.seed - b.config.seed);
  for (const [i, run] of sorted.entries()) {
    const next = sorted[i + 1];
    const { seed } = run.config;
    if (next === undefined || split(next) !== split(run) || next.config.seed !== seed) continue;
    throw new UserError(
      `${run.folder} and ${next.folder} have the same configuration and the same seed, ${seed}; expected each seed once. ` +
        'Leave one of them out',
    );
  }
  return sorted;
}

/** The runs of a group on each split of the data, by the split's seed. */
export function bySplit<Member extends Run>({ runs }: Pick<RunGroup<Member>, 'runs'>): Map<number, Member[]> {
  const splits = new Map<number, Member[]>();
  for (const run of runs) {
    const { splitSeed } = run.config.data;
    splits.set(splitSeed, [...(splits.get(splitSeed) ?? []), run]);
  }
  return splits;
}

/** The runs of two groups that have the same split and the same seed, by split. */
export function pairsBySplit<Member extends Run>(
  ours: RunGroup<Member>,
  theirs: RunGroup<Member>,
): (readonly [ours: Member, theirs: Member])[][] {
  const others = bySplit(theirs);
  return [...bySplit(ours)].flatMap(([splitSeed, runs]) => {
    const pairs = runs.flatMap((run) => {
      const other = others.get(splitSeed)?.find(({ config }) => config.seed === run.config.seed);
      return other === undefined ? [] : [[run, other] as const];
    });
    return pairs.length === 0 ? [] : [pairs];
  });
}

import { configDifference } from '../config/difference.js';
import { InputError } from '../input-error.js';
import { type RunData, readRun } from './run-data.js';

/** Runs that differ in nothing but their seed. */
export interface RunGroup {
  /** The method's name, and what else sets the group apart from others of the same method. */
  readonly label: string;
  /** By seed. */
  readonly runs: readonly RunData[];
  /** The run with the lowest seed: it stands for the others where only one can be shown. */
  readonly first: RunData;
}

/** Options that may differ within a group. */
const FREE = new Set(['seed', 'threads', 'device']);

/**
 * Reads runs to be compared and puts those together that differ in nothing but their seed. One-hot, if there, comes first.
 *
 * @throws {@link InputError} if there is none, or they are not about the same classes
 */
export async function readRunGroups(folders: readonly string[]): Promise<RunGroup[]> {
  const runs = await Promise.all(folders.map(readRun));
  const [first] = runs;
  if (first === undefined) throw new InputError('there is no run to compare; name at least one run folder');
  for (const run of runs) refuseOtherClasses(first, run);
  const groups: RunData[][] = [];
  for (const run of runs) {
    const group = groups.find(([member]) => member !== undefined && differences(member, run).length === 0);
    if (group === undefined) groups.push([run]);
    else group.push(run);
  }
  const ordered = [...groups].sort((a, b) => Number(isOneHot(b)) - Number(isOneHot(a)));
  return ordered.flatMap((group) => {
    const sorted = [...group].sort((a, b) => a.config.seed - b.config.seed);
    return sorted[0] === undefined ? [] : [{ label: labelOf(sorted[0], ordered), runs: sorted, first: sorted[0] }];
  });
}

function refuseOtherClasses(first: RunData, run: RunData): void {
  if (JSON.stringify(first.classNames) === JSON.stringify(run.classNames)) return;
  throw new InputError(
    `${run.folder} and ${first.folder} have different classes; expected runs on the same data. Compare them one by one`,
  );
}

function differences(a: RunData, b: RunData): string[] {
  return configDifference(a.config, b.config)
    .map(({ path }) => path)
    .filter((path) => !FREE.has(path));
}

function isOneHot([run]: readonly RunData[]): boolean {
  return run?.config.method.name === 'one-hot';
}

function labelOf(run: RunData, groups: readonly (readonly RunData[])[]): string {
  const { name } = run.config.method;
  const others = groups.flatMap(([other]) => (other !== undefined && other.config.method.name === name ? [other] : []));
  const options = new Map(
    others.flatMap((other) =>
      configDifference(other.config, run.config)
        .filter(({ path }) => !FREE.has(path))
        .map(({ path, after }): [string, string] => [path, JSON.stringify(after) ?? 'left out']),
    ),
  );
  return [name, ...Array.from(options, ([path, value]) => `${path} ${value}`)].join(', ');
}

/** Whether all runs were tested on the same instances. */
export function haveSameTestSet(groups: readonly RunGroup[]): boolean {
  const [first, ...others] = groups.flatMap(({ runs }) => runs);
  return others.every(
    (run) =>
      run.environment.dataset.hash === first?.environment.dataset.hash &&
      JSON.stringify(run.predictions.instances) === JSON.stringify(first.predictions.instances),
  );
}

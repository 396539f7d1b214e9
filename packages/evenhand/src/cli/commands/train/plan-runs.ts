import { parseConfig } from '../../../config/parse.js';
import type { Config } from '../../../config/schema.js';
import { inNewFolder } from '../../../files/claim-folder.js';
import { isMethodName, type MethodName, methods } from '../../../methods/registry.js';
import { isRun } from '../../../runs/run-files.js';
import { keepsTestSet } from '../../../sources/open-source.js';
import { isBegun, type TrialPlan } from '../../../trials/plan-file.js';
import { UserError } from '../../../user-error.js';
import { nearestName } from '../../../wording/nearest-name.js';
import type { GivenConfig } from '../../options/given-config.js';

/** One run, or several that are trained and shown together. */
export type RunPlan = { readonly folder: string; readonly config: Config } | TrialPlan;

/** What is to be trained: every method on every split with every seed. */
export interface PlanOptions {
  /** Names with commas between them; the configuration's own method if left out. */
  readonly method: string | undefined;
  /** The number of seeds, from the configuration's own on. */
  readonly seeds: number;
  /** The number of splits of the data, from the configuration's own `data.splitSeed` on. @defaultValue 1 */
  readonly splits?: number | undefined;
  /** @defaultValue a new folder in `runs` */
  readonly folder: string | undefined;
}

/** Plans runs, and has them trained in their folder. Several get sub-folders, named by method, split and seed. */
export function planRuns(
  given: GivenConfig,
  { method, seeds, splits = 1, folder: named }: PlanOptions,
  trainPlanned: (plan: RunPlan) => Promise<void>,
): Promise<void> {
  const [first, ...others] = configsOf(given, method)
    .flatMap((config) => onSplits(config, splits))
    .flatMap((config) => Array.from({ length: seeds }, (_, i) => ({ ...config, seed: config.seed + i })));
  if (first === undefined) throw new Error('internal: no run was planned');
  const trials = [first, ...others].map((config) => {
    const split = splits > 1 ? `-split-${config.data.splitSeed}` : '';
    return { key: `${config.method.name}${split}-seed-${config.seed}`, config };
  });
  const trainIn = (folder: string) =>
    trainPlanned(others.length === 0 ? { folder, config: first } : { folder, trials });
  if (named !== undefined) return trainIn(named);
  const ending = others.length === 0 ? `-${first.method.name}` : '';
  return inNewFolder({ parent: 'runs', source: first.data.source, ending }, trainIn);
}

/** A configuration for each split. Methods get the same splits, so that they can be compared split by split. */
function onSplits(config: Config, splits: number): Config[] {
  const { data } = config;
  if (splits > 1 && keepsTestSet(data)) {
    throw new UserError(
      `--splits ${splits}: ${data.source} has a test set of its own, which all splits would share; only their validation instances would differ. ` +
        'Draw test sets with --test-share 0.2, or repeat the training alone with --seeds',
    );
  }
  if (splits > 1 && data.testShare === 0) {
    throw new UserError(
      `--splits ${splits}: data.testShare is 0, and no instances are set aside for testing, in whatever split; expected a share such as --test-share 0.2`,
    );
  }
  return Array.from({ length: splits }, (_, i) => ({ ...config, data: { ...data, splitSeed: data.splitSeed + i } }));
}

/** Whether a run of a plan was trained, if only for a moment. */
export function isTrained(plan: RunPlan): boolean {
  return 'trials' in plan ? isBegun(plan) : isRun(plan.folder);
}

/** A configuration for each method. */
export function configsOf(given: GivenConfig, method: string | undefined): Config[] {
  const names = methodNames(method);
  return names.length === 0 ? [parseConfig(given)] : names.map((name) => withMethod(given, name, names));
}

function methodNames(list: string | undefined): MethodName[] {
  const names = (list ?? '').split(',').filter((name) => name !== '');
  return [...new Set(names)].map((name) => {
    if (isMethodName(name)) return name;
    const known = Object.keys(methods);
    const nearest = nearestName(name, known);
    const advice = nearest === undefined ? `expected ${known.join(', ')}` : `did you mean "${nearest}"?`;
    throw new UserError(`--method: there is no method "${name}"; ${advice}`);
  });
}

/** Of several methods, each takes the options that it knows. */
function withMethod(given: GivenConfig, name: MethodName, all: readonly MethodName[]): Config {
  const { method } = given;
  const options = typeof method === 'object' && method !== null ? Object.entries(method) : [];
  const known = (key: string, of: MethodName) => Object.hasOwn(methods[of].options.shape, key);
  const own = options.filter(
    ([key]) => key !== 'name' && (known(key, name) || !all.some((other) => known(key, other))),
  );
  return parseConfig({ ...given, method: { ...Object.fromEntries(own), name } });
}

import { join } from 'node:path';
import type { Config, ConfigInput, MethodName } from 'evenhand/config';
import { configHash, parseConfig } from 'evenhand/config';
import { type Recipe, recipeOf, type Scale, scaleOf } from './recipes.js';
import {
  type LossName,
  PAPER_METHODS,
  PAPER_SEEDS,
  type Setting,
  type SettingName,
  settingOf,
  TABLES,
  type TableName,
} from './tables.js';

/** Which training run of a table. */
export interface CellKey {
  readonly table: TableName;
  readonly scale: Scale;
  readonly setting: SettingName;
  readonly loss: LossName;
  readonly method: MethodName;
  /** Moves initial weights, order of the instances and the random changes to them. */
  readonly seed: number;
  /** Which images are drawn: 0 in the tables, others only for the spread over subsets. */
  readonly subset: number;
}

/** A training run of a table, with all that it is told. */
export interface Cell extends CellKey {
  readonly config: Config;
  readonly configHash: string;
}

/** What may differ from the recipe. */
export interface CellOptions {
  readonly epochs?: number;
  readonly device?: Config['device'];
}

/** Which cells of a table. */
export interface CellSelection extends CellOptions {
  readonly table: TableName;
  readonly scale: Scale;
  /** All if left out. */
  readonly settings?: readonly SettingName[];
  readonly losses?: readonly LossName[];
  /** Those of the paper if left out. */
  readonly methods?: readonly MethodName[];
  readonly seeds?: number;
  /** Subsets of the data for which cross-entropy is trained; the table's own is the first. */
  readonly subsets?: number;
}

/** What two cores should finish first, should they be stopped. */
const LOSSES_BY_INTEREST: readonly LossName[] = ['ce', 'mse', 'fl'];
const METHODS_BY_INTEREST: readonly MethodName[] = ['one-hot', 'enhancement', 're-weighting', 'cost-sensitiveness'];

/** The name of a cell within its table. */
export function cellId({ setting, loss, method, seed, subset }: CellKey): string {
  return [setting, loss, method, seed, ...(subset === 0 ? [] : [`subset-${subset}`])].join('/');
}

/** Where a cell's run lies among those of its table. No run folder lies in another one. */
export function cellPath({ setting, loss, method, seed, subset }: CellKey): string {
  return join(setting, loss, method, subset === 0 ? String(seed) : `${seed}-subset-${subset}`);
}

/** The folder of a cell's run, in that of its table's runs. */
export function cellFolder(runs: string, cell: CellKey): string {
  return join(runs, cellPath(cell));
}

/**
 * The cells of a table in the order in which they are worth doing: the first seed of every row and method, cross-entropy
 * before the other losses; then the next seed; then other subsets. Wherever it is cut off, a useful table is left.
 */
export function cellsOf(selection: CellSelection): Cell[] {
  const { table, methods = PAPER_METHODS, seeds = PAPER_SEEDS, subsets = 1 } = selection;
  const scale = scaleOf(table, selection.scale);
  const settings = TABLES[table].settings.map(({ name }) => name).filter((name) => allows(selection.settings, name));
  const losses = LOSSES_BY_INTEREST.filter((loss) => allows(selection.losses, loss));
  const inOrder = [
    ...METHODS_BY_INTEREST.filter((method) => methods.includes(method)),
    ...methods.filter((method) => !METHODS_BY_INTEREST.includes(method)),
  ];
  const cellsWith = (seed: number, subset: number, of: readonly LossName[]) =>
    of.flatMap((loss) =>
      settings.flatMap((setting) =>
        inOrder.map((method) => cellOf({ table, scale, setting, loss, method, seed, subset }, selection)),
      ),
    );
  const crossEntropy = losses.filter((loss) => loss === 'ce');
  const otherSubsets = range(subsets).slice(1);
  return [
    ...range(seeds).flatMap((seed) => cellsWith(seed, 0, losses)),
    ...otherSubsets.flatMap((subset) => cellsWith(0, subset, crossEntropy)),
  ];
}

/** A cell with its configuration. */
export function cellOf(key: CellKey, { epochs, device = 'cpu' }: CellOptions = {}): Cell {
  const { table, scale, loss, seed, subset } = key;
  const setting = settingOf(table, key.setting);
  const recipe = recipeOf(table, scale, key.setting, loss);
  const { imageSize } = recipe;
  const config = parseConfig({
    // The published protocol: what is held out never trains.
    data: { giveBack: 1, ...setting.data(subset), ...(imageSize === undefined ? {} : { imageSize }) },
    model: setting.model,
    method: methodOf(key.method, recipe),
    loss: lossOf(loss, setting),
    ...(epochs === undefined ? recipe.training : withEpochs(recipe.training, epochs)),
    seed,
    // As many processes as cores are faster than one process with as many threads, and the bytes do not depend on the cores.
    threads: 1,
    device,
  } satisfies ConfigInput);
  return { ...key, config, configHash: configHash(config) };
}

function methodOf(name: MethodName, { rates }: Recipe): NonNullable<ConfigInput['method']> {
  return name === 'enhancement' || name === 're-weighting' || name === 'cost-sensitiveness'
    ? { name, ...rates }
    : { name };
}

function lossOf(loss: LossName, { gamma }: Setting): NonNullable<ConfigInput['loss']> {
  switch (loss) {
    case 'mse':
      return { name: 'mean-square-error' };
    case 'ce':
      return { name: 'cross-entropy' };
    case 'fl':
      return { name: 'focal', gamma };
  }
}

/** Fewer epochs may leave no time for the whole warm-up. */
function withEpochs(training: Recipe['training'], epochs: number): Recipe['training'] {
  const { schedule } = training;
  const warmUpEpochs = Math.min(schedule.warmUpEpochs ?? 0, epochs - 1);
  return { ...training, epochs, schedule: { ...schedule, warmUpEpochs } };
}

function allows<Name>(chosen: readonly Name[] | undefined, name: Name): boolean {
  return chosen === undefined || chosen.includes(name);
}

function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}

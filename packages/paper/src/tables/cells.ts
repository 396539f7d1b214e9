import { join } from 'node:path';
import type { Config, ConfigInput } from 'evenhand/config';
import { configHash, parseConfig } from 'evenhand/config';
import { type CellMethod, configOfMethod } from './cell-methods.js';
import { inOrderOfInterest, planOf, type Stage } from './plans.js';
import { type Recipe, recipeOf, type Scale, scaleOf } from './recipes.js';
import {
  LOSS_NAMES,
  type LossName,
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
  readonly method: CellMethod;
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
  /** Height and width of images that have no size of their own. */
  readonly imageSize?: number;
  readonly device?: Config['device'];
}

/** Which cells of a table. */
export interface CellSelection extends CellOptions {
  readonly table: TableName;
  readonly scale: Scale;
  /** All if left out. */
  readonly settings?: readonly SettingName[];
  readonly losses?: readonly LossName[];
  /** Those that are planned for the table if left out. */
  readonly methods?: readonly CellMethod[];
  /** As many as are planned, from 0, if left out. */
  readonly seeds?: readonly number[];
  /** Subsets of the data for which the paper's methods are trained with cross-entropy; the table's own is the first. */
  readonly subsets?: number;
}

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
 * The cells of a table in the order in which they are worth doing: stage after stage of its plan; within one, the first seed of every row and
 * method, cross-entropy before the other losses, then the next seed. Other subsets come last. Wherever it is cut off, a useful table is left.
 */
export function cellsOf(selection: CellSelection): Cell[] {
  const { table, seeds, subsets = 1 } = selection;
  const scale = scaleOf(table, selection.scale);
  const settings = TABLES[table].settings.map(({ name }) => name).filter((name) => allows(selection.settings, name));
  const cellsWith = (seed: number, subset: number, { losses, methods }: Pick<Stage, 'losses' | 'methods'>) =>
    losses
      .filter((loss) => allows(selection.losses, loss))
      .flatMap((loss) =>
        settings.flatMap((setting) =>
          methods.map((method) => cellOf({ table, scale, setting, loss, method, seed, subset }, selection)),
        ),
      );
  const stages = stagesOf(selection, scale);
  const cells = [
    ...stages.flatMap((stage) => (seeds ?? range(stage.seeds)).flatMap((seed) => cellsWith(seed, 0, stage))),
    ...range(subsets)
      .slice(1)
      .flatMap((subset) =>
        stages.slice(0, 1).flatMap(({ methods }) => cellsWith(0, subset, { losses: ['ce'], methods })),
      ),
  ];
  // A later stage may have more seeds of an earlier one's rows.
  return [...new Map(cells.map((cell) => [cellId(cell), cell])).values()];
}

/** The table's plan, unless methods are chosen. */
function stagesOf({ table, methods }: CellSelection, scale: Scale): readonly Stage[] {
  if (methods === undefined) return planOf(table, scale);
  return [inOrderOfInterest(table, { losses: LOSS_NAMES, methods, seeds: PAPER_SEEDS })];
}

/** A cell with its configuration. */
export function cellOf(key: CellKey, options: CellOptions = {}): Cell {
  const { table, scale, loss, seed, subset } = key;
  const { epochs, device = 'cpu' } = options;
  const setting = settingOf(table, key.setting);
  const recipe = recipeOf(table, scale, key.setting, loss);
  const imageSize = recipe.imageSize === undefined ? undefined : (options.imageSize ?? recipe.imageSize);
  const { method, giveBack } = configOfMethod(key.method, recipe.rates);
  const config = parseConfig({
    data: { giveBack, ...setting.data(subset), ...(imageSize === undefined ? {} : { imageSize }) },
    model: setting.model,
    method,
    loss: lossOf(loss, setting),
    ...(epochs === undefined ? recipe.training : withEpochs(recipe.training, epochs)),
    seed,
    // As many processes as cores are faster than one process with as many threads, and the bytes do not depend on the cores.
    threads: 1,
    device,
  } satisfies ConfigInput);
  return { ...key, config, configHash: configHash(config) };
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

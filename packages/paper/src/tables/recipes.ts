import type { ConfigInput } from 'evenhand/config';
import type { EncodingRates } from './cell-methods.js';
import type { LossName, SettingName, TableName } from './tables.js';

/** `paper`: as large as the paper's own experiments, for a GPU. `cpu`: what two cores finish overnight. */
export const SCALES = ['paper', 'cpu'] as const;
export type Scale = (typeof SCALES)[number];

type Given<Section extends keyof ConfigInput> = NonNullable<ConfigInput[Section]>;

/** How a network is trained: tuned for one-hot labels and used unchanged for every method. */
interface Training extends Pick<ConfigInput, 'augmentation'> {
  readonly optimizer: Given<'optimizer'>;
  readonly schedule: Exclude<Given<'schedule'>, { readonly name: 'one-cycle' | 'waves' }>;
  readonly batchSize: number;
  readonly epochs: number;
}

/** What a cell is trained with. */
export interface Recipe {
  readonly training: Training;
  /** Height and width, where images have no size of their own. */
  readonly imageSize?: number;
  /** The ablations take those of the whole method: they are to show its parts, not to be tuned themselves. */
  readonly rates: EncodingRates;
}

type RecipesOfSetting = Readonly<Record<LossName, Recipe>>;

function rates(enhancementRate: number, updatingRate: number): EncodingRates {
  return { enhancementRate, updatingRate };
}

function mnist(
  { epochs, weightDecay, padding }: Record<'epochs' | 'weightDecay' | 'padding', number>,
  encoding: EncodingRates,
): Recipe {
  return {
    training: {
      optimizer: { name: 'adamw', learningRate: 3e-3, weightDecay },
      schedule: { name: 'cosine' },
      batchSize: 32,
      epochs,
      // Digits are shifted, not mirrored.
      augmentation: { padding, flip: false },
    },
    rates: encoding,
  };
}

const EVEN: RecipesOfSetting = {
  mse: mnist({ epochs: 10, weightDecay: 0.01, padding: 1 }, rates(10, 0.1)),
  ce: mnist({ epochs: 10, weightDecay: 0.01, padding: 2 }, rates(0.3, 0.3)),
  fl: mnist({ epochs: 20, weightDecay: 0.1, padding: 2 }, rates(0.1, 0.3)),
};

const LONG_TAIL: RecipesOfSetting = {
  mse: mnist({ epochs: 30, weightDecay: 0.01, padding: 1 }, rates(10, 0.3)),
  ce: mnist({ epochs: 30, weightDecay: 0.01, padding: 2 }, rates(3, 0.1)),
  fl: mnist({ epochs: 30, weightDecay: 0.1, padding: 2 }, rates(10, 0.3)),
};

function cifar10(
  { epochs, batchSize, weightDecay }: Record<'epochs' | 'batchSize' | 'weightDecay', number>,
  schedule: Training['schedule'],
  encoding: EncodingRates,
): Recipe {
  return {
    training: {
      optimizer: { name: 'sgd', learningRate: 0.1, momentum: 0.9, weightDecay },
      schedule,
      batchSize,
      epochs,
      augmentation: { padding: 4, flip: true },
    },
    rates: encoding,
  };
}

/** What everybody trains CIFAR-10-LT with. */
const CIFAR10_PAPER = { epochs: 200, batchSize: 128, weightDecay: 2e-4 };
const CIFAR10_STEPS: Training['schedule'] = {
  name: 'multi-step',
  warmUpEpochs: 5,
  milestones: [160, 180],
  factor: 0.01,
};

/** Few epochs: batches are small, so that there are many steps, and the learning rate falls to 0. */
const CIFAR10_CPU = { epochs: 24, batchSize: 64, weightDecay: 2e-4 };
const CIFAR10_COSINE: Training['schedule'] = { name: 'cosine', warmUpEpochs: 1 };

function caltech101(
  {
    imageSize,
    padding,
    epochs,
    warmUpEpochs,
    batchSize,
  }: Record<'imageSize' | 'padding' | 'epochs' | 'warmUpEpochs' | 'batchSize', number>,
  encoding: EncodingRates,
): Recipe {
  return {
    training: {
      optimizer: { name: 'sgd', learningRate: 0.05, momentum: 0.9, weightDecay: 5e-4 },
      schedule: { name: 'cosine', warmUpEpochs },
      batchSize,
      epochs,
      augmentation: { padding, flip: true },
    },
    imageSize,
    rates: encoding,
  };
}

const CALTECH101_PAPER = { imageSize: 224, padding: 16, epochs: 100, warmUpEpochs: 5, batchSize: 64 };
const CALTECH101_CPU = { imageSize: 48, padding: 6, epochs: 30, warmUpEpochs: 1, batchSize: 32 };

const TRANSFORMER: Recipe = {
  training: {
    optimizer: { name: 'adamw', learningRate: 1e-3, weightDecay: 0.05 },
    schedule: { name: 'cosine', warmUpEpochs: 1 },
    batchSize: 32,
    epochs: 30,
    augmentation: { padding: 2, flip: false },
  },
  rates: rates(3, 0.1),
};

/** The same recipe with all three losses. */
function anyLoss(recipe: Recipe): RecipesOfSetting {
  return { mse: recipe, ce: recipe, fl: recipe };
}

/** What each table's cells are trained with. MNIST is small: two cores train it as the paper did, so its tables have one scale. */
const RECIPES: Readonly<
  Record<TableName, Partial<Record<Scale, Partial<Readonly<Record<SettingName, RecipesOfSetting>>>>>>
> = {
  table1: { paper: { even: EVEN, 'long-tail': LONG_TAIL } },
  table2: {
    paper: { 'cifar10-lt': anyLoss(cifar10(CIFAR10_PAPER, CIFAR10_STEPS, rates(0.3, 0.3))) },
    cpu: { 'cifar10-lt': anyLoss(cifar10(CIFAR10_CPU, CIFAR10_COSINE, rates(0.3, 0.3))) },
  },
  table3: {
    paper: { caltech101: anyLoss(caltech101(CALTECH101_PAPER, rates(0.3, 0.3))) },
    cpu: { caltech101: anyLoss(caltech101(CALTECH101_CPU, rates(0.3, 0.3))) },
  },
  transformers: { cpu: { vit: anyLoss(TRANSFORMER), eanet: anyLoss(TRANSFORMER) } },
};

/** The scale at which a table is run when another one is asked for: the only one, where it has only one. */
export function scaleOf(table: TableName, asked: Scale): Scale {
  if (RECIPES[table][asked] !== undefined) return asked;
  return RECIPES[table].paper === undefined ? 'cpu' : 'paper';
}

/** How a cell of a table is trained. */
export function recipeOf(table: TableName, scale: Scale, setting: SettingName, loss: LossName): Recipe {
  const recipe = RECIPES[table][scale]?.[setting]?.[loss];
  if (recipe === undefined) throw new Error(`internal: ${table} has no recipe for ${setting} at the scale "${scale}"`);
  return recipe;
}

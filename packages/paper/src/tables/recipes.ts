import type { ConfigInput } from 'evenhand/config';
import type { LossName, SettingName, TableName } from './tables.js';

/** `paper`: as large as the paper's own experiments, for a GPU. `cpu`: what two cores finish overnight. */
export const SCALES = ['paper', 'cpu'] as const;
export type Scale = (typeof SCALES)[number];

/** ε and μ: all that is tuned for the method, on images of the training part alone. */
interface EncodingRates {
  readonly enhancementRate: number;
  readonly updatingRate: number;
}

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
      // Digits are moved about, not mirrored.
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

function cifar10(epochs: number, schedule: Training['schedule'], encoding: EncodingRates): Recipe {
  return {
    training: {
      optimizer: { name: 'sgd', learningRate: 0.1, momentum: 0.9, weightDecay: 2e-4 },
      schedule,
      batchSize: 128,
      epochs,
      augmentation: { padding: 4, flip: true },
    },
    rates: encoding,
  };
}

/** What everybody trains CIFAR-10-LT with, over 200 epochs. */
const CIFAR10_STEPS: Training['schedule'] = {
  name: 'multi-step',
  warmUpEpochs: 5,
  milestones: [160, 180],
  factor: 0.01,
};

function caltech101(
  { imageSize, padding, epochs, warmUpEpochs }: Record<'imageSize' | 'padding' | 'epochs' | 'warmUpEpochs', number>,
  encoding: EncodingRates,
): Recipe {
  return {
    training: {
      optimizer: { name: 'sgd', learningRate: 0.05, momentum: 0.9, weightDecay: 5e-4 },
      schedule: { name: 'cosine', warmUpEpochs },
      batchSize: 64,
      epochs,
      augmentation: { padding, flip: true },
    },
    imageSize,
    rates: encoding,
  };
}

const CALTECH101_PAPER = { imageSize: 224, padding: 16, epochs: 100, warmUpEpochs: 5 };
const CALTECH101_CPU = { imageSize: 32, padding: 4, epochs: 12, warmUpEpochs: 1 };

/** The same recipe with all three losses. */
function anyLoss(recipe: Recipe): RecipesOfSetting {
  return { mse: recipe, ce: recipe, fl: recipe };
}

/** What each table's cells are trained with. MNIST is small: two cores train it as the paper did, so it has one scale. */
const RECIPES: Readonly<
  Record<TableName, Partial<Record<Scale, Partial<Readonly<Record<SettingName, RecipesOfSetting>>>>>>
> = {
  table1: { paper: { even: EVEN, 'long-tail': LONG_TAIL } },
  table2: {
    paper: { 'cifar10-lt': anyLoss(cifar10(200, CIFAR10_STEPS, rates(0.3, 0.3))) },
    cpu: { 'cifar10-lt': anyLoss(cifar10(12, { name: 'cosine', warmUpEpochs: 1 }, rates(0.3, 0.3))) },
  },
  table3: {
    paper: { caltech101: anyLoss(caltech101(CALTECH101_PAPER, rates(0.3, 0.3))) },
    cpu: { caltech101: anyLoss(caltech101(CALTECH101_CPU, rates(0.3, 0.3))) },
  },
};

/** The scale at which a table is run when another one is asked for: the only one, where it has only one. */
export function scaleOf(table: TableName, asked: Scale): Scale {
  return RECIPES[table][asked] === undefined ? 'paper' : asked;
}

/** How a cell of a table is trained. */
export function recipeOf(table: TableName, scale: Scale, setting: SettingName, loss: LossName): Recipe {
  const recipe = RECIPES[table][scale]?.[setting]?.[loss];
  if (recipe === undefined) throw new Error(`internal: ${table} has no recipe for ${setting} at the scale "${scale}"`);
  return recipe;
}

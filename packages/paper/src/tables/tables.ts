import type { ConfigInput } from 'evenhand/config';

/** The paper's tables of results. */
export const PAPER_TABLE_NAMES = ['table1', 'table2', 'table3'] as const;

/** Those, and one that the paper leaves open: the method with transformers. */
export const TABLE_NAMES = [...PAPER_TABLE_NAMES, 'transformers'] as const;
export type TableName = (typeof TABLE_NAMES)[number];

/** The data that a group of a table's rows is about. */
export const SETTING_NAMES = ['even', 'long-tail', 'cifar10-lt', 'caltech101', 'vit', 'eanet'] as const;
export type SettingName = (typeof SETTING_NAMES)[number];

/** Mean square error, cross-entropy and focal loss, as the paper abbreviates them. */
export const LOSS_NAMES = ['mse', 'ce', 'fl'] as const;
export type LossName = (typeof LOSS_NAMES)[number];

/** The methods in the order of the paper's columns: the baseline, the two ablations, the method itself. */
export const PAPER_METHODS = ['one-hot', 're-weighting', 'cost-sensitiveness', 'enhancement'] as const;
export type PaperMethod = (typeof PAPER_METHODS)[number];

/** What tables report of the test set. */
export type MetricName = 'top1' | 'top5' | 'minority';

/** How often the paper trained, each time with another seed. */
export const PAPER_SEEDS = 5;

/** A number of the paper in per cent: mean, and the standard deviation where the paper gives it. */
export interface PaperNumber {
  readonly mean: number;
  readonly deviation: number | null;
}

/** A row of a table: every method's number of every metric that the table has. */
type PaperRow = { readonly [Metric in MetricName]?: Readonly<Record<PaperMethod, PaperNumber>> };

/** What the paper did with some data, and what it found. */
export interface Setting {
  readonly name: SettingName;
  readonly title: string;
  /**
   * The data and how it is split.
   *
   * @param subset - which training and validation images are drawn; every table has one subset, 0, for all that it compares
   */
  readonly data: (subset: number) => ConfigInput['data'];
  readonly model: NonNullable<ConfigInput['model']>;
  /** γ of the focal loss. */
  readonly gamma: number;
  readonly paper: Readonly<Record<LossName, PaperRow>>;
}

/** A table of the paper. */
export interface Table {
  readonly name: TableName;
  readonly title: string;
  readonly metrics: readonly MetricName[];
  readonly losses: readonly LossName[];
  readonly settings: readonly Setting[];
}

/** Numbers in the order of {@link PAPER_METHODS}; `[mean, deviation]` where both are given. */
type Given = number | readonly [mean: number, deviation: number];

function numbers(oneHot: Given, reWeighting: Given, costSensitiveness: Given, enhancement: Given) {
  const asNumber = (given: Given): PaperNumber =>
    typeof given === 'number' ? { mean: given, deviation: null } : { mean: given[0], deviation: given[1] };
  return {
    'one-hot': asNumber(oneHot),
    're-weighting': asNumber(reWeighting),
    'cost-sensitiveness': asNumber(costSensitiveness),
    enhancement: asNumber(enhancement),
  };
}

const EVEN: Setting = {
  name: 'even',
  title: 'MNIST, 10 % of even classes',
  data: (subset) => ({
    source: 'mnist',
    imbalance: { kind: 'mnist-even' },
    validationPerClass: 10,
    splitSeed: subset,
  }),
  model: { name: 'lenet5', logitNorm: true },
  gamma: 2,
  paper: {
    mse: { top1: numbers([97.82, 0.03], 97.92, 97.89, [97.99, 0.06]) },
    ce: { top1: numbers([97.75, 0.04], 97.85, 97.91, [98.0, 0.03]) },
    fl: { top1: numbers([98.06, 0.04], 98.21, 98.32, [98.54, 0.13]) },
  },
};

const LONG_TAIL: Setting = {
  name: 'long-tail',
  title: 'MNIST, long tail',
  data: (subset) => ({
    source: 'mnist',
    imbalance: { kind: 'mnist-long-tail' },
    validationPerClass: 5,
    splitSeed: subset,
  }),
  model: { name: 'lenet5', logitNorm: true },
  gamma: 2,
  paper: {
    mse: { top1: numbers([92.12, 0.56], 92.56, 92.61, [92.78, 0.26]) },
    ce: { top1: numbers([89.14, 0.13], 90.95, 90.65, [91.43, 0.27]) },
    fl: { top1: numbers([91.56, 0.32], 91.8, 91.87, [93.34, 0.61]) },
  },
};

const CIFAR10_LT: Setting = {
  name: 'cifar10-lt',
  title: 'CIFAR-10-LT',
  data: (subset) => ({
    source: 'cifar10',
    // Everybody's selection is one and the same; other subsets have as many images of each class.
    imbalance: subset === 0 ? { kind: 'cifar10-lt' } : { kind: 'exponential', factor: 100 },
    validationPerClass: 5,
    splitSeed: subset,
  }),
  model: { name: 'resnet32', logitNorm: true },
  gamma: 1,
  paper: {
    mse: {
      top1: numbers([67.15, 0.48], 67.2, 67.39, [67.89, 0.58]),
      minority: numbers([49.84, 1.01], 50.62, 50.22, [51.59, 1.17]),
    },
    ce: {
      top1: numbers([65.23, 0.75], 69.55, 65.98, [69.89, 0.89]),
      minority: numbers([47.34, 1.56], 52.38, 49.48, [55.75, 1.73]),
    },
    fl: {
      top1: numbers([67.33, 0.35], 68.1, 69.49, [69.94, 0.79]),
      minority: numbers([50.34, 0.78], 51.54, 55.18, [56.38, 1.24]),
    },
  },
};

const CALTECH101: Setting = {
  name: 'caltech101',
  title: 'Caltech 101',
  data: (subset) => ({ source: 'caltech101', validationPerClass: 5, testPerClass: 20, splitSeed: subset }),
  model: { name: 'resnet34', logitNorm: true },
  gamma: 0.5,
  paper: {
    mse: {
      top1: numbers([54.66, 0.48], 57.03, 54.75, [57.16, 0.87]),
      top5: numbers([73.55, 0.37], 75.05, 73.22, [75.82, 0.86]),
      minority: numbers([37.32, 0.33], 41.1, 38.6, [41.28, 1.22]),
    },
    ce: {
      top1: numbers([58.3, 0.93], 60.5, 58.81, [61.48, 1.07]),
      top5: numbers([77.45, 1.56], 80.15, 78.42, [79.5, 0.41]),
      minority: numbers([43.14, 0.81], 46.9, 42.7, [47.54, 1.69]),
    },
    fl: {
      top1: numbers([57.28, 1.38], 58.17, 59.85, [60.27, 1.11]),
      top5: numbers([77.46, 0.52], 76.44, 78.86, [78.8, 0.88]),
      minority: numbers([42.34, 1.61], 42.7, 46.1, [46.82, 1.43]),
    },
  },
};

/** What both transformers have in common: 49 tokens of a digit. */
const SMALL_TRANSFORMER = { logitNorm: true, patch: 4, width: 64, depth: 4, heads: 4, mlpRatio: 2 } as const;

/** The paper asks whether the method helps transformers, and leaves it open. */
const NO_NUMBERS = { mse: {}, ce: {}, fl: {} };

const VIT: Setting = {
  ...LONG_TAIL,
  name: 'vit',
  title: 'ViT, MNIST, long tail',
  model: { name: 'vit', ...SMALL_TRANSFORMER },
  paper: NO_NUMBERS,
};

const EANET: Setting = {
  ...LONG_TAIL,
  name: 'eanet',
  title: 'EANet, MNIST, long tail',
  model: { name: 'eanet', ...SMALL_TRANSFORMER },
  paper: NO_NUMBERS,
};

/**
 * What the paper ran and what it found. Minority accuracy is over the half of the classes with the fewest training
 * instances, as evaluations have it: N_min is 5 of CIFAR's 10 classes and 50 of Caltech's 101.
 */
export const TABLES: Readonly<Record<TableName, Table>> = {
  table1: {
    name: 'table1',
    title: 'imbalanced MNIST',
    metrics: ['top1'],
    losses: LOSS_NAMES,
    settings: [EVEN, LONG_TAIL],
  },
  table2: {
    name: 'table2',
    title: 'CIFAR-10-LT',
    metrics: ['top1', 'minority'],
    losses: LOSS_NAMES,
    settings: [CIFAR10_LT],
  },
  table3: {
    name: 'table3',
    title: 'Caltech 101',
    metrics: ['top1', 'top5', 'minority'],
    losses: LOSS_NAMES,
    settings: [CALTECH101],
  },
  transformers: {
    name: 'transformers',
    title: 'transformers on long-tailed MNIST',
    metrics: ['top1'],
    losses: ['ce'],
    settings: [VIT, EANET],
  },
};

/** A setting of a table. */
export function settingOf(table: TableName, name: SettingName): Setting {
  const found = TABLES[table].settings.find((setting) => setting.name === name);
  if (found === undefined) throw new Error(`internal: ${table} has no setting "${name}"`);
  return found;
}

/** Which row of a table. */
interface PaperRowKey {
  readonly setting: Setting;
  readonly loss: LossName;
}

/** What the paper found in a row; null for what it does not have. */
export function paperNumber({ setting, loss }: PaperRowKey, method: string, metric: MetricName): PaperNumber | null {
  const known = PAPER_METHODS.find((name) => name === method);
  return known === undefined ? null : (setting.paper[loss][metric]?.[known] ?? null);
}

/** How far the paper's enhancement is ahead of its one-hot, in percentage points; null for a row that it does not have. */
export function paperGain(row: PaperRowKey, metric: MetricName): number | null {
  const [enhancement, oneHot] = [paperNumber(row, 'enhancement', metric), paperNumber(row, 'one-hot', metric)];
  return enhancement === null || oneHot === null ? null : enhancement.mean - oneHot.mean;
}

import type { CellMethod } from './cell-methods.js';
import type { Scale } from './recipes.js';
import { type LossName, PAPER_METHODS, PAPER_SEEDS, TABLES, type TableName } from './tables.js';

/** Cells that are trained before those of the next stage. */
export interface Stage {
  /** In the order in which they are begun. */
  readonly losses: readonly LossName[];
  readonly methods: readonly CellMethod[];
  /** How often each is trained, with the seeds from 0. */
  readonly seeds: number;
}

/** What two cores should finish first, should they be stopped. */
const LOSSES_BY_INTEREST: readonly LossName[] = ['ce', 'mse', 'fl'];
const METHODS_BY_INTEREST: readonly CellMethod[] = ['one-hot', 'enhancement', 're-weighting', 'cost-sensitiveness'];

/** Other cures for the rarity of classes, on the same images as the paper's methods. */
const RIVALS: readonly CellMethod[] = ['logit-adjustment', 'class-balanced', 'confusion-margins'];

/** Methods that get the held-out images too. */
const EQUAL_BUDGET: readonly CellMethod[] = [
  'one-hot-all-images',
  'enhancement-given-back',
  'inverse-frequency-all-images',
  'logit-adjustment-all-images',
];

const CIFAR10_ON_TWO_CORES: readonly Stage[] = [
  { losses: ['ce'], methods: PAPER_METHODS, seeds: 3 },
  { losses: ['ce'], methods: ['one-hot', 'enhancement'], seeds: PAPER_SEEDS },
  { losses: ['mse', 'fl'], methods: PAPER_METHODS, seeds: 3 },
  { losses: ['ce'], methods: RIVALS, seeds: 3 },
  { losses: ['ce'], methods: EQUAL_BUDGET.slice(0, 2), seeds: 3 },
];

/** Where more, or less, is planned than the paper's own methods and seeds. */
const PLANS: Readonly<Partial<Record<TableName, Partial<Record<Scale, readonly Stage[]>>>>> = {
  table1: {
    paper: [
      { losses: LOSSES_BY_INTEREST, methods: PAPER_METHODS, seeds: PAPER_SEEDS },
      { losses: ['ce'], methods: EQUAL_BUDGET, seeds: PAPER_SEEDS },
    ],
  },
  table2: { cpu: CIFAR10_ON_TWO_CORES },
  table3: {
    cpu: [
      { losses: ['ce'], methods: PAPER_METHODS, seeds: 3 },
      { losses: ['mse', 'fl'], methods: PAPER_METHODS, seeds: 3 },
    ],
  },
  transformers: { cpu: [{ losses: ['ce'], methods: ['one-hot', 'enhancement', 'logit-adjustment'], seeds: 3 }] },
};

/** What is planned of a table: stage after stage, so that a useful table is left wherever it is cut off. */
export function planOf(table: TableName, scale: Scale): readonly Stage[] {
  const stages = PLANS[table]?.[scale] ?? [{ losses: LOSSES_BY_INTEREST, methods: PAPER_METHODS, seeds: PAPER_SEEDS }];
  return stages.map((stage) => inOrderOfInterest(table, stage));
}

/** A stage of the losses that a table has, the most interesting first. */
export function inOrderOfInterest(table: TableName, { losses, methods, seeds }: Stage): Stage {
  return {
    losses: LOSSES_BY_INTEREST.filter((loss) => losses.includes(loss) && TABLES[table].losses.includes(loss)),
    methods: [
      ...METHODS_BY_INTEREST.filter((method) => methods.includes(method)),
      ...methods.filter((method) => !METHODS_BY_INTEREST.includes(method)),
    ],
    seeds,
  };
}

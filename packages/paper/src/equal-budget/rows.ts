import { type MethodName, methods } from 'evenhand/config';

/** A way of training on long-tailed MNIST that is compared with others. */
export interface BudgetRow {
  /** What results and `--only` call it. */
  readonly name: string;
  /** What readers are told. */
  readonly title: string;
  /** The section `method` of the configuration. */
  readonly method: Readonly<Record<string, string | number | { readonly kind: string }>>;
  /**
   * `data.giveBack`: the share of the epochs after which held-out images train too. 1 is the published protocol, in which they never do;
   * 0 gives all images to a method that measures nothing.
   */
  readonly giveBack: number;
  /** Compared over all draws and seeds; tried on the first seed of every draw, to choose ε and μ; or one of all methods, for docs/choosing.md. */
  readonly role: 'compared' | 'tried' | 'method';
}

/** The row of rates as the paper's would be: chosen for one budget, the same for all draws. */
export const PUBLISHED_RATES = { enhancementRate: 10, updatingRate: 0.1 };

/** Rates that somebody who tunes would try. */
export const TRIED_ENHANCEMENT_RATES = [1, 3, 10, 30];
export const TRIED_UPDATING_RATES = [0.1, 0.3];

/** Two thirds measure, the last third trains on everything. */
const GIVEN_BACK = 2 / 3;

/** What the others are compared with. */
export const LOGIT_ADJUSTMENT = 'logit-adjustment';
export const ONE_HOT = 'one-hot';
export const AUTO = 'enhancement-auto';

const COMPARED: readonly Omit<BudgetRow, 'role'>[] = [
  {
    name: 'one-hot-held-out',
    title: 'one-hot, without the held-out images, as published',
    method: { name: 'one-hot' },
    giveBack: 1,
  },
  { name: ONE_HOT, title: 'one-hot', method: { name: 'one-hot' }, giveBack: 0 },
  {
    name: 'inverse-frequency',
    title: 'class weights 1/n',
    method: { name: 'inverse-frequency' },
    giveBack: 0,
  },
  { name: LOGIT_ADJUSTMENT, title: 'logit adjustment', method: { name: 'logit-adjustment' }, giveBack: 0 },
  {
    name: 'enhancement-held-out',
    title: 'enhancement, ε 10, μ 0.1, as published',
    method: { name: 'enhancement', ...PUBLISHED_RATES },
    giveBack: 1,
  },
  {
    name: triedName(PUBLISHED_RATES),
    title: 'enhancement, ε 10, μ 0.1, given back',
    method: { name: 'enhancement', ...PUBLISHED_RATES },
    giveBack: GIVEN_BACK,
  },
  {
    name: AUTO,
    title: 'enhancement, automatic rates, given back',
    method: { name: 'enhancement', enhancementRate: 'auto', updatingRate: 'auto' },
    giveBack: GIVEN_BACK,
  },
  {
    name: 'enhancement-look-ahead',
    title: 'enhancement, ε by looking ahead, automatic μ, given back',
    method: { name: 'enhancement', enhancementRate: { kind: 'look-ahead' }, updatingRate: 'auto' },
    giveBack: GIVEN_BACK,
  },
  {
    name: 'confusion-margins',
    title: 'confusion margins, ε 5, μ 0.3, given back',
    method: { name: 'confusion-margins', enhancementRate: 5, updatingRate: 0.3, tau: 0 },
    giveBack: GIVEN_BACK,
  },
  {
    name: 'confusion-margins-with-prior',
    title: 'confusion margins, ε 2, μ 0.3, with log prior, given back',
    method: { name: 'confusion-margins', enhancementRate: 2, updatingRate: 0.3, tau: 1 },
    giveBack: GIVEN_BACK,
  },
];

/** The name of enhancement with some rates, given back. */
export function triedName({ enhancementRate, updatingRate }: typeof PUBLISHED_RATES): string {
  return `enhancement-${enhancementRate}-${updatingRate}`;
}

/** All rows, those that are compared first. Of the rates that are tried, the published ones are a row that is compared. */
export const BUDGET_ROWS: readonly BudgetRow[] = [
  ...COMPARED.map((row) => ({ ...row, role: 'compared' as const })),
  ...TRIED_ENHANCEMENT_RATES.flatMap((enhancementRate) =>
    TRIED_UPDATING_RATES.map(
      (updatingRate): BudgetRow => ({
        name: triedName({ enhancementRate, updatingRate }),
        title: `enhancement, ε ${enhancementRate}, μ ${updatingRate}, given back`,
        method: { name: 'enhancement', enhancementRate, updatingRate },
        giveBack: GIVEN_BACK,
        role: 'tried',
      }),
    ),
  ).filter(({ name }) => COMPARED.every((row) => row.name !== name)),
];

/** Methods whose defaults, or more than these, are rows of the comparison above. */
const ROWS_OF_METHODS: Readonly<Partial<Record<MethodName, string>>> = {
  'one-hot': ONE_HOT,
  'inverse-frequency': 'inverse-frequency',
  'logit-adjustment': LOGIT_ADJUSTMENT,
  enhancement: AUTO,
  'confusion-margins': 'confusion-margins-with-prior',
};

/** The row of a method on images; undefined for one that has no meaning for them, or without what somebody knows of the data. */
export function rowOfMethod(name: MethodName): string | undefined {
  if (methods[name].tablesOnly === true || name === 'class-weights') return undefined;
  return ROWS_OF_METHODS[name] ?? name;
}

/** The other methods, each with its defaults. */
export const METHOD_ROWS: readonly BudgetRow[] = Object.values(methods).flatMap(({ name, measures = false }) =>
  rowOfMethod(name) === name && !(name in ROWS_OF_METHODS)
    ? [{ name, title: name, method: { name }, giveBack: measures ? GIVEN_BACK : 0, role: 'method' as const }]
    : [],
);

import type { Variant } from './fold-job.js';
import type { FoldKey } from './fold-results.js';
import { keysOf } from './selection.js';

/** The tables that `scripts/tuning_tables.R` makes. Whatever is chosen for the learner is chosen on two of their five folds. */
export const TUNING_TABLES = [
  ...['ad-data', 'ames-condition', 'attrition', 'chile', 'churn', 'credit-1to8', 'diamonds-clarity-tail50', 'hpc'],
  ...['letter-tail40', 'new-thyroid', 'olive', 'pima-1to6', 'sacramento', 'satellite-tail40', 'shuttle-sample'],
  ...['soybean', 'spam-1to20', 'ticdata', 'transplant', 'vowel-tail20', 'wilms-relapse'],
];
const TUNING_REPEATS = 1;
const TUNING_FOLDS = [0, 1];

/** The folds that the parts of the learner are compared on. */
export function tuningFolds(): FoldKey[] {
  return keysOf(TUNING_TABLES, TUNING_REPEATS, TUNING_FOLDS);
}

/** A configuration of our learner. */
export interface AblationLearner {
  /** What results call it. */
  readonly name: string;
  /** What readers are told: what is different. */
  readonly title: string;
  readonly variant: Variant;
}

const FOLDS = 8;
const TABULAR: Variant = { model: { name: 'tabular', hidden: [128, 128] }, folds: FOLDS };
/** The same with the layer that the paper puts before every softmax. */
const NORMED: Variant = { ...TABULAR, model: { name: 'tabular', hidden: [128, 128], logitNorm: true } };
const MLP: Variant = { model: { name: 'mlp' } };
const ENHANCED: Variant = { method: { name: 'enhancement' } };
const TREES: Variant = { model: { name: 'trees' } };

/** A member of a portfolio. */
type Member = NonNullable<Variant['portfolio']>[number];

/** What a single network answers: the likeliest class. */
const LIKELIEST: Variant = { decision: { objective: 'accuracy' } };

const LINEAR = {
  name: 'linear',
  model: { name: 'mlp', hidden: [], logitNorm: false },
  optimizer: { name: 'adamw', learningRate: 0.03, weightDecay: 0.01 },
  schedule: { name: 'cosine' },
  labelSmoothing: 0,
} as const satisfies Member;
const NETWORK = { name: 'tabular', model: { name: 'tabular', hidden: [128, 128] } } as const satisfies Member;
const TREES_BESIDE = {
  name: 'trees',
  model: { name: 'trees' },
  labelSmoothing: 0,
  epochs: 60,
  earlyStopping: { patience: 10 },
} as const satisfies Member;

const WITHOUT_TREES: Variant = { model: { name: 'auto' }, portfolio: [LINEAR, NETWORK] };

/** One network with enhancement encoding as in the paper, and step by step what makes the default of it. */
export const LADDER: readonly AblationLearner[] = [
  {
    name: 'single',
    title: 'one perceptron; enhancement encoding, measured on held-out rows',
    variant: { ...MLP, ...ENHANCED, data: { giveBack: 1 } },
  },
  {
    name: 'pack',
    title: 'a pack of eight, measured out of fold',
    variant: { ...MLP, folds: FOLDS, ...ENHANCED, ...LIKELIEST },
  },
  {
    name: 'stopping',
    title: 'stopped early, at the best epoch out of fold',
    variant: { ...MLP, folds: FOLDS, ...ENHANCED, ...LIKELIEST, earlyStopping: { patience: 24 } },
  },
  { name: 'recipe', title: 'the network for tables', variant: { ...TABULAR, ...ENHANCED, ...LIKELIEST } },
  {
    name: 'enhancement',
    title: 'answers fitted to balanced accuracy, out of fold',
    variant: { ...TABULAR, ...ENHANCED },
  },
  { name: 'logit adjustment', title: 'logit adjustment instead of enhancement encoding', variant: TABULAR },
  { name: 'few rows', title: 'classes of a few rows count less in the choice of the epoch', variant: TABULAR },
  { name: 'without trees', title: 'a linear member beside it: a portfolio', variant: WITHOUT_TREES },
  { name: 'default', title: 'boosted trees as a third member: the default', variant: {} },
];

/** The method that the others are compared with. */
export const USUAL_METHOD = 'logit adjustment';

/** Methods with everything else equal: one pack of networks for tables. */
export const METHODS: readonly AblationLearner[] = [
  { name: USUAL_METHOD, title: 'logit adjustment', variant: TABULAR },
  { name: 'one-hot', title: 'one-hot', variant: { ...TABULAR, method: { name: 'one-hot' } } },
  {
    name: 'class weights',
    title: 'class weights 1/n',
    variant: { ...TABULAR, method: { name: 'inverse-frequency' } },
  },
  { name: 'enhancement', title: 'enhancement encoding', variant: { ...TABULAR, ...ENHANCED } },
  {
    name: 'balanced enhancement',
    title: 'enhancement encoding with class weights 1/n',
    variant: { ...TABULAR, method: { name: 'balanced-enhancement' } },
  },
  {
    name: 'confusion margins',
    title: 'confusion margins with log prior',
    variant: { ...TABULAR, method: { name: 'confusion-margins' } },
  },
  {
    name: 'confusion margins without prior',
    title: 'confusion margins without log prior',
    variant: { ...TABULAR, method: { name: 'confusion-margins', tau: 0 } },
  },
  {
    name: 'logit adjustment, norm',
    title: 'logit adjustment, batch norm before the softmax',
    variant: NORMED,
  },
  {
    name: 'enhancement, norm',
    title: 'enhancement encoding, batch norm before the softmax',
    variant: { ...NORMED, ...ENHANCED },
  },
  {
    name: 'enhancement, norm, automatic rates',
    title: 'enhancement encoding, batch norm before the softmax, automatic rates',
    variant: { ...NORMED, method: { name: 'enhancement', enhancementRate: 'auto', updatingRate: 'auto' } },
  },
];

/** What the trees are compared with: the method of the default. */
export const USUAL_TREES = 'trees';

/** Boosted trees alone with every method, everything else equal. */
export const TREE_METHODS: readonly AblationLearner[] = [
  { name: USUAL_TREES, title: 'logit adjustment', variant: TREES },
  { name: 'trees, one-hot', title: 'one-hot', variant: { ...TREES, method: { name: 'one-hot' } } },
  {
    name: 'trees, class weights',
    title: 'class weights 1/n',
    variant: { ...TREES, method: { name: 'inverse-frequency' } },
  },
  { name: 'trees, enhancement', title: 'enhancement encoding', variant: { ...TREES, ...ENHANCED } },
  {
    name: 'trees, enhancement, automatic rates',
    title: 'enhancement encoding, automatic rates',
    variant: { ...TREES, method: { name: 'enhancement', enhancementRate: 'auto', updatingRate: 'auto' } },
  },
  {
    name: 'trees, balanced enhancement',
    title: 'enhancement encoding with class weights 1/n',
    variant: { ...TREES, method: { name: 'balanced-enhancement' } },
  },
  { name: 'trees, re-weighting', title: 're-weighting part', variant: { ...TREES, method: { name: 're-weighting' } } },
  {
    name: 'trees, cost-sensitiveness',
    title: 'cost-sensitiveness part',
    variant: { ...TREES, method: { name: 'cost-sensitiveness' } },
  },
  {
    name: 'trees, confusion margins',
    title: 'confusion margins with log prior',
    variant: { ...TREES, method: { name: 'confusion-margins' } },
  },
  { name: 'trees, focal', title: 'logit adjustment, focal loss', variant: { ...TREES, loss: { name: 'focal' } } },
  {
    name: 'trees, MSE',
    title: 'logit adjustment, mean square error',
    variant: { ...TREES, loss: { name: 'mean-square-error' } },
  },
];

/** What the other portfolios are compared with: the default. */
export const USUAL_PORTFOLIO = 'default';

/** Which members a portfolio has, everything else equal. */
export const PORTFOLIOS: readonly AblationLearner[] = [
  { name: USUAL_PORTFOLIO, title: 'linear, trees and network: the default', variant: {} },
  { name: 'without trees', title: 'linear and network', variant: WITHOUT_TREES },
  {
    name: 'without linear',
    title: 'trees and network',
    variant: { model: { name: 'auto' }, portfolio: [TREES_BESIDE, NETWORK] },
  },
  { name: USUAL_TREES, title: 'trees alone', variant: TREES },
  { name: 'few rows', title: 'network alone', variant: TABULAR },
];

/** All of them by name; a method that is a step of the ladder as well is one learner. The default first: it has the most to say. */
export function ablationVariants(): ReadonlyMap<string, Variant> {
  return new Map(
    [...LADDER]
      .reverse()
      .concat(METHODS, TREE_METHODS, PORTFOLIOS)
      .map(({ name, variant }) => [name, variant]),
  );
}

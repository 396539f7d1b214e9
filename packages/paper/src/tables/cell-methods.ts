import { type ConfigInput, isMethodName, type MethodName, methods } from 'evenhand/config';

/** ε and μ: all that is tuned for the method, on images of the training part alone. */
export interface EncodingRates {
  readonly enhancementRate: number;
  readonly updatingRate: number;
}

/** How a method is trained in a cell. */
interface CellMethodPlan {
  readonly method: MethodName;
  /**
   * `data.giveBack`: the share of the epochs after which the held-out images train too. 1 is the published protocol, in which they never
   * do; 0 gives all images to a method that measures nothing.
   */
  readonly giveBack: number;
}

/** Two thirds of the epochs measure, the last third trains on everything. */
const GIVEN_BACK = 2 / 3;

/** Methods that get the held-out images too, so that all of them learn from the same ones: the equal budget. */
const VARIANTS = {
  'one-hot-all-images': { method: 'one-hot', giveBack: 0 },
  'inverse-frequency-all-images': { method: 'inverse-frequency', giveBack: 0 },
  'logit-adjustment-all-images': { method: 'logit-adjustment', giveBack: 0 },
  'enhancement-given-back': { method: 'enhancement', giveBack: GIVEN_BACK },
  'confusion-margins-given-back': { method: 'confusion-margins', giveBack: GIVEN_BACK },
} as const satisfies Readonly<Record<string, CellMethodPlan>>;

type VariantName = keyof typeof VARIANTS;

/** What a cell is trained with: a method in the published protocol, by its name, or one that gets the held-out images too. */
export type CellMethod = MethodName | VariantName;

/** Every name that a cell's method can have. */
export const CELL_METHODS: readonly CellMethod[] = [
  ...Object.keys(methods).filter(isMethodName),
  ...Object.keys(VARIANTS).filter(isVariant),
];

/** Whether a name is that of a cell's method. */
export function isCellMethod(name: string): name is CellMethod {
  return isMethodName(name) || isVariant(name);
}

function isVariant(name: string): name is VariantName {
  return Object.hasOwn(VARIANTS, name);
}

/** ε and μ of confusion margins, with τ = 1: those of docs/method.md, where they were tried on long-tailed MNIST. */
const MARGIN_RATES: EncodingRates = { enhancementRate: 2, updatingRate: 0.3 };

/** The parts of a configuration that a cell's method decides. */
export function configOfMethod(
  name: CellMethod,
  rates: EncodingRates,
): { readonly method: NonNullable<ConfigInput['method']>; readonly giveBack: number } {
  const { method, giveBack } = isVariant(name) ? VARIANTS[name] : { method: name, giveBack: 1 };
  return { method: withRates(method, rates), giveBack };
}

function withRates(name: MethodName, rates: EncodingRates): NonNullable<ConfigInput['method']> {
  if (name === 'enhancement' || name === 're-weighting' || name === 'cost-sensitiveness') return { name, ...rates };
  return name === 'confusion-margins' ? { name, ...MARGIN_RATES } : { name };
}

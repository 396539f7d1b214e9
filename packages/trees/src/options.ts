import { LARGEST_BINS } from './bins/column.js';
import type { BoostingOptions } from './boosting/boosting.js';
import { CLASS_DRAWS, type ClassDraw } from './boosting/sample.js';
import { TreesError } from './errors.js';
import type { LossOptions } from './losses/labels.js';

/** Rounds where nothing is said. */
export const DEFAULT_ROUNDS = 100;

/** How trees are trained. The defaults are those of scikit-learn's histogram gradient boosting, apart from the bound of the leaves. */
export interface TreeOptions {
  /** Rounds of boosting; every round adds a tree per class, or one for two classes. @defaultValue 100 */
  readonly rounds?: number;
  /** What the values of leaves are multiplied by. @defaultValue 0.1 */
  readonly learningRate?: number;
  /** Leaves that a tree may have. @defaultValue 31 */
  readonly leaves?: number;
  /** Fewest rows of a leaf. @defaultValue 20 */
  readonly minimalLeafRows?: number;
  /** Smallest sum of Hessians of a leaf. @defaultValue 0.001 */
  readonly minimalLeafHessian?: number;
  /** The least by which a split must lower the loss. @defaultValue 0 */
  readonly minimalGain?: number;
  /** Largest depth of a tree: the number of splits from its root to a leaf. @defaultValue as many as its leaves allow */
  readonly maximalDepth?: number;
  /** λ of −G/(H + λ), the value of a leaf. @defaultValue 0 */
  readonly l2?: number;
  /** Largest absolute value of a leaf before it is multiplied by the learning rate; `Infinity` for no bound. @defaultValue 100 */
  readonly maximalLeafValue?: number;
  /** Bins of a column, apart from the one of missing values: 2 to 255. @defaultValue 255 */
  readonly bins?: number;
  /** Share of its rows that a member learns from in a round, drawn anew in each. @defaultValue 1 */
  readonly rowShare?: number;
  /** The same for the rows of each class, or label row, on top of `rowShare`: under-sampling that is drawn anew in every round. @defaultValue all 1 */
  readonly classShares?: readonly number[];
  /**
   * How rows of classes with a share are drawn. `each-round`: anew in every round, as in RUSBoost. `once`: each member has a bag of its own, the same in all
   * rounds, as in EasyEnsemble. `self-paced`: anew in every round, by how hard rows are to the trees before it: at first equally many of every bin of
   * hardness, weighted by the inverse of it, and more and more by how many there are the later the round, of `rounds` in all. @defaultValue `each-round`
   */
  readonly classDraw?: ClassDraw;
  /** Share of the columns that a tree may split on, drawn anew for each tree. @defaultValue 1 */
  readonly columnShare?: number;
  /** What is minimised. @defaultValue cross-entropy */
  readonly loss?: LossOptions;
  /** Decides everything that is random. @defaultValue 0 */
  readonly seed?: number;
  /** Stop when the loss of held-out rows has not fallen for so many rounds, and keep the rounds up to the best. Needs `folds`. */
  readonly patience?: number;
  /** Bytes that training may take; more is refused before it is taken. @defaultValue what WebAssembly can address: 4 GiB */
  readonly memory?: number;
}

/** Options with their defaults. */
export interface ResolvedOptions extends BoostingOptions {
  readonly bins: number;
  readonly patience: number | undefined;
  readonly memory: number | undefined;
}

/**
 * Fills in what is left out.
 *
 * @throws {@link TreesError} that names the option
 */
export function resolveOptions(options: TreeOptions): ResolvedOptions {
  const { loss = { name: 'cross-entropy' }, classDraw = 'each-round' } = options;
  if (!CLASS_DRAWS.includes(classDraw)) throw refused('classDraw', classDraw, CLASS_DRAWS.join(', '));
  if (loss.name !== 'cross-entropy' && loss.name !== 'focal' && loss.name !== 'mean-square-error') {
    throw refused('loss', loss, 'cross-entropy, focal or mean-square-error');
  }
  if (loss.name === 'focal' && !(loss.gamma >= 0 && loss.gamma <= 10))
    throw refused('loss.gamma', loss.gamma, '0 to 10');
  return {
    loss,
    rounds: integer(options, 'rounds', DEFAULT_ROUNDS, 1, 100_000),
    learningRate: number(options, 'learningRate', 0.1, 1e-6, 10),
    leaves: integer(options, 'leaves', 31, 2, 65_536),
    minimalLeafRows: integer(options, 'minimalLeafRows', 20, 1, 2 ** 30),
    minimalLeafHessian: number(options, 'minimalLeafHessian', 1e-3, 0, 1e9),
    minimalGain: number(options, 'minimalGain', 0, 0, 1e12),
    maximalDepth:
      options.maximalDepth === undefined ? Number.POSITIVE_INFINITY : integer(options, 'maximalDepth', 1, 1, 1000),
    l2: number(options, 'l2', 0, 0, 1e12),
    maximalLeafValue:
      options.maximalLeafValue === Number.POSITIVE_INFINITY
        ? options.maximalLeafValue
        : number(options, 'maximalLeafValue', 100, 1e-6, 1e30),
    bins: integer(options, 'bins', LARGEST_BINS, 2, LARGEST_BINS),
    rowShare: number(options, 'rowShare', 1, 1e-6, 1),
    classShares: checkShares(options.classShares),
    classDraw,
    columnShare: number(options, 'columnShare', 1, 1e-6, 1),
    seed: integer(options, 'seed', 0, 0, Number.MAX_SAFE_INTEGER),
    patience: options.patience === undefined ? undefined : integer(options, 'patience', 1, 1, 100_000),
    memory: options.memory === undefined ? undefined : number(options, 'memory', 1, 1, Number.MAX_SAFE_INTEGER),
  };
}

type NumberOption = {
  [Key in keyof TreeOptions]-?: NonNullable<TreeOptions[Key]> extends number ? Key : never;
}[keyof TreeOptions];

function number(options: TreeOptions, name: NumberOption, fallback: number, least: number, most: number): number {
  const { [name]: value = fallback } = options;
  if (typeof value !== 'number' || !(value >= least && value <= most))
    throw refused(name, value, `a number from ${least} to ${most}`);
  return value;
}

function integer(options: TreeOptions, name: NumberOption, fallback: number, least: number, most: number): number {
  const value = number(options, name, fallback, least, most);
  if (!Number.isInteger(value)) throw refused(name, value, `a whole number from ${least} to ${most}`);
  return value;
}

function checkShares(shares: readonly number[] | undefined): readonly number[] | undefined {
  for (const [label, share] of shares?.entries() ?? []) {
    if (!(share > 0 && share <= 1)) throw refused(`classShares[${label}]`, share, 'a number above 0 and at most 1');
  }
  return shares;
}

function refused(name: string, value: unknown, expected: string): TreesError {
  return new TreesError(
    `fit: the option "${name}" is ${typeof value === 'object' ? JSON.stringify(value) : String(value)}; expected ${expected}`,
  );
}

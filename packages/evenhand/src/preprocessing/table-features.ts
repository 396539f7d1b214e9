import { at } from '../checked-access.js';
import type { FeatureRule, TablePreprocessing } from './preprocessing.js';

export type NumberRule = Extract<FeatureRule, { kind: 'number' }>;
export type CategoryRule = Extract<FeatureRule, { kind: 'category' }>;

/** A rule, and the index of its column among the preprocessing's. */
export interface Feature<Rule> {
  readonly column: number;
  readonly rule: Rule;
}

/** What the network's input is made of: a feature for each of `numbers`, then of `flags`, then of `categories`. */
export interface TableFeatures {
  readonly numbers: readonly Feature<NumberRule>[];
  /** Indices in `numbers`. */
  readonly flags: readonly number[];
  readonly categories: readonly Feature<CategoryRule>[];
}

/** Standardised values are kept within ± this: an absurd value must not become infinite somewhere in the network. */
export const LIMIT = 1e6;

/** The rules of all columns in the order of the network's input. */
export function tableFeatures({ columns }: TablePreprocessing): TableFeatures {
  const numbers: Feature<NumberRule>[] = [];
  const categories: Feature<CategoryRule>[] = [];
  for (const [column, { rules }] of columns.entries()) {
    for (const rule of rules) {
      if (rule.kind === 'number') numbers.push({ column, rule });
      else categories.push({ column, rule });
    }
  }
  const flags = numbers.flatMap(({ rule }, index) => (rule.flagged ? [index] : []));
  return { numbers, flags, categories };
}

/** The size of the network's input, and how many codes each of its last features has: what the engine's `mlp` is told. */
export function networkInput(preprocessing: TablePreprocessing): {
  readonly features: number;
  readonly categories: readonly number[];
} {
  const { numbers, flags, categories } = tableFeatures(preprocessing);
  return {
    features: numbers.length + flags.length + categories.length,
    categories: categories.map(({ rule }) => rule.categories.length + 1),
  };
}

/** Features of the network's input between two values of which there is nothing: truth values, flags, codes of categories. Ascending. */
export function discreteFeatures(preprocessing: TablePreprocessing): number[] {
  const { numbers, flags, categories } = tableFeatures(preprocessing);
  const isTruth = ({ column }: Feature<NumberRule>) => at(preprocessing.columns, column).type.kind === 'boolean';
  const behind = Array.from({ length: flags.length + categories.length }, (_, i) => numbers.length + i);
  return [...numbers.flatMap((feature, i) => (isTruth(feature) ? [i] : [])), ...behind];
}

/** Where in the network's input each column is: a date has several places there, and a number that may be missing two. */
export function columnPositions(preprocessing: TablePreprocessing): number[][] {
  const { numbers, flags, categories } = tableFeatures(preprocessing);
  const columns = [
    ...numbers.map(({ column }) => column),
    ...flags.map((index) => at(numbers, index).column),
    ...categories.map(({ column }) => column),
  ];
  const positions: number[][] = preprocessing.columns.map(() => []);
  for (const [position, column] of columns.entries()) at(positions, column).push(position);
  return positions;
}

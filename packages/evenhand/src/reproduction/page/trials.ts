import type { Config } from '../../config/schema.js';
import { spread } from '../../report/numbers.js';
import type { TuningLine } from './tuning-line.js';

/** Tuning runs that differ in nothing but the draw of the validation images. */
export interface Trial {
  readonly method: TuningLine['method'];
  readonly recipe: TuningLine['recipe'];
  readonly softAccuracies: readonly number[];
  readonly accuracies: readonly number[];
  /** The mean soft accuracy. */
  readonly mean: number;
}

/** Puts runs together that differ only in the draw. */
export function trialsOf(lines: readonly TuningLine[]): Trial[] {
  const groups = groupBy(lines, ({ method, recipe }) =>
    [method.name, method.enhancementRate, method.updatingRate, recipeText(recipe)].join(' '),
  );
  return groups.flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const softAccuracies = group.map(({ softAccuracy }) => softAccuracy);
    const accuracies = group.map(({ accuracy }) => accuracy);
    const { method, recipe } = first;
    return [{ method, recipe, softAccuracies, accuracies, mean: spread(softAccuracies).mean }];
  });
}

/** A recipe in one line; equal recipes have equal lines. */
export function recipeText({ optimizer, learningRate, weightDecay, batchSize, epochs }: TuningLine['recipe']): string {
  const name = optimizer ?? 'sgd';
  return `${name}, learning rate ${learningRate}, weight decay ${weightDecay}, batch ${batchSize}, ${epochs} epochs`;
}

/** The recipe of a run, as tuning tells it. */
export function recipeIn({ optimizer, batchSize, epochs }: Config): TuningLine['recipe'] {
  const { name, learningRate, weightDecay } = optimizer;
  return { optimizer: name, learningRate, weightDecay, batchSize, epochs };
}

/** Whether a run's method has this ε and μ. */
export function hasRates({ method }: Config, enhancementRate: number, updatingRate: number): boolean {
  return (
    'enhancementRate' in method &&
    'updatingRate' in method &&
    method.enhancementRate === enhancementRate &&
    method.updatingRate === updatingRate
  );
}

/** Items with the same key, in the order of their first. */
export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()];
}

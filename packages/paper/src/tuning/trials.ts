import type { Config } from 'evenhand/config';
import { sampleStatistics } from 'evenhand/evaluation';
import type { TuningLine } from '../results/tuning-line.js';

/** Tuning runs that differ in nothing but the draw of the images they were measured on. */
export interface Trial {
  readonly method: TuningLine['method'];
  readonly recipe: TuningLine['recipe'];
  readonly images: TuningLine['images'];
  readonly accuracies: readonly number[];
  readonly softAccuracies: readonly number[];
  /** The mean of what counts: soft accuracy where it was measured, on few images, else accuracy. */
  readonly score: number;
}

/** Puts runs together that differ only in the draw. */
export function trialsOf(runs: readonly TuningLine[]): Trial[] {
  const groups = groupBy(runs, ({ method, recipe, images }) =>
    [method.name, method.enhancementRate, method.updatingRate, recipeText(recipe), images].join(' '),
  );
  return groups.flatMap((lines) => {
    // What was measured twice counts once.
    const group = [...new Map(lines.map((line) => [line.draw, line])).values()];
    const [first] = group;
    if (first === undefined) return [];
    const accuracies = group.map(({ accuracy }) => accuracy);
    const softAccuracies = group.flatMap(({ softAccuracy }) => softAccuracy ?? []);
    const { method, recipe, images } = first;
    const { mean: score } = sampleStatistics(softAccuracies.length === 0 ? accuracies : softAccuracies);
    return [{ method, recipe, images, accuracies, softAccuracies, score }];
  });
}

/** A recipe in one line; equal recipes have equal lines. */
export function recipeText(recipe: TuningLine['recipe']): string {
  const { optimizer = 'sgd', learningRate, weightDecay, batchSize, epochs, padding, imageSize } = recipe;
  const told = `${optimizer}, learning rate ${learningRate}, weight decay ${weightDecay}, batch ${batchSize}, ${epochs} epochs`;
  return [
    told,
    ...(padding === undefined ? [] : [`random shifts of up to ${padding} px`]),
    ...(imageSize === undefined ? [] : [`${imageSize} px`]),
  ].join(', ');
}

/** The recipe of a run, as tuning tells it. */
export function recipeIn({ optimizer, batchSize, epochs, augmentation, data }: Config): TuningLine['recipe'] {
  const { name, learningRate, weightDecay } = optimizer;
  // Images that are moved by 0 pixels are as they are.
  const padding = augmentation === undefined || augmentation.padding === 0 ? {} : { padding: augmentation.padding };
  const imageSize = data.imageSize === undefined ? {} : { imageSize: data.imageSize };
  return { optimizer: name, learningRate, weightDecay, batchSize, epochs, ...padding, ...imageSize };
}

/** The method of a run, as tuning tells it. Rates that are neither numbers nor `auto` are not told. */
export function methodIn({ method }: Config): TuningLine['method'] {
  const enhancementRate = 'enhancementRate' in method ? toldRate(method.enhancementRate) : undefined;
  const updatingRate = 'updatingRate' in method ? toldRate(method.updatingRate) : undefined;
  return {
    name: method.name,
    ...(enhancementRate === undefined ? {} : { enhancementRate }),
    ...(updatingRate === undefined ? {} : { updatingRate }),
  };
}

function toldRate(rate: unknown): number | 'auto' | undefined {
  return typeof rate === 'number' || rate === 'auto' ? rate : undefined;
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

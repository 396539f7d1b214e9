import { readFileSync } from 'node:fs';
import * as tf from '@tensorflow/tfjs';
import type { SeededRandom } from './seeded-random.js';

/** A row of a table and its class. */
export interface Example {
  readonly features: readonly number[];
  readonly label: number;
}

export interface Split {
  readonly training: readonly Example[];
  readonly validation: readonly Example[];
  readonly test: readonly Example[];
}

/** How many of each class UCI glass has. */
const GLASS_COUNTS = [76, 70, 29, 17, 13, 9];
const FEATURES = 9;

/** Gaussian clusters with glass's counts and number of features, close enough together to overlap. */
export function glassLikeSplit(random: SeededRandom): Split {
  const centres = GLASS_COUNTS.map(() => Array.from({ length: FEATURES }, () => 0.75 * random.gaussian()));
  const draw = (count: (label: number) => number): Example[] =>
    centres.flatMap((centre, label) =>
      Array.from({ length: count(label) }, () => ({ features: centre.map((c) => c + random.gaussian()), label })),
    );
  return {
    training: draw((label) => GLASS_COUNTS[label] ?? 0),
    validation: draw(() => 5),
    test: draw(() => 60),
  };
}

/** A table with a header and the class in its last column; classes are numbered in the order of their sorted names. */
export function readTable(path: string): Example[] {
  const [, ...rows] = readFileSync(path, 'utf8').trim().split(/\r?\n/);
  const cells = rows.map((row) => row.split(','));
  const names = [...new Set(cells.map((row) => row.at(-1)))].sort();
  return cells.map((row) => ({ features: row.slice(0, -1).map(Number), label: names.indexOf(row.at(-1)) }));
}

/** 30 % of each class to test, of the rest up to 5 (at most a third) to measure on, and what remains to train on. */
export function stratifiedSplit(examples: readonly Example[], random: SeededRandom): Split {
  const training: Example[] = [];
  const validation: Example[] = [];
  const test: Example[] = [];
  for (let label = 0; label < classesOf(examples); label++) {
    const order = random.shuffled(examples.filter((example) => example.label === label));
    const tested = Math.round(order.length * 0.3);
    const measured = Math.min(5, Math.floor((order.length - tested) / 3));
    test.push(...order.slice(0, tested));
    validation.push(...order.slice(tested, tested + measured));
    training.push(...order.slice(tested + measured));
  }
  return { training, validation, test };
}

/** Features to mean 0 and variance 1, both taken from the training part alone. */
export function standardised(split: Split): Split {
  const columns =
    split.training[0]?.features.map((_, j) => split.training.map((example) => example.features[j] ?? 0)) ?? [];
  const scales = columns.map((column) => {
    const mean = column.reduce((a, b) => a + b, 0) / column.length;
    const variance = column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / column.length;
    return { mean, deviation: Math.sqrt(variance) || 1 };
  });
  const scale = (examples: readonly Example[]) =>
    examples.map(({ features, label }) => ({
      features: features.map((value, j) => (value - (scales[j]?.mean ?? 0)) / (scales[j]?.deviation ?? 1)),
      label,
    }));
  return { training: scale(split.training), validation: scale(split.validation), test: scale(split.test) };
}

export function classesOf(examples: readonly Example[]): number {
  return 1 + Math.max(...examples.map((example) => example.label));
}

export function inputsOf(examples: readonly Example[]): tf.Tensor2D {
  return tf.tensor2d(examples.map((example) => [...example.features]));
}

export function labelsOf(examples: readonly Example[]): number[] {
  return examples.map((example) => example.label);
}

export function oneHotOf(examples: readonly Example[], classes: number): tf.Tensor {
  return tf.tidy(() => tf.oneHot(tf.tensor1d(labelsOf(examples), 'int32'), classes));
}

/** Mean over classes of the share of their examples that the model gets right. */
export function balancedAccuracy(model: tf.LayersModel, examples: readonly Example[]): number {
  const classes = classesOf(examples);
  const predicted = tf.tidy(() => {
    const scores = model.predict(inputsOf(examples));
    if (Array.isArray(scores)) throw new TypeError('expected a model with one output');
    return Array.from(tf.argMax(scores, -1).dataSync());
  });
  const recalls = Array.from({ length: classes }, (_, label) => {
    const hits = examples.flatMap((example, i) => (example.label === label ? [predicted[i] === label ? 1 : 0] : []));
    return hits.reduce((sum: number, hit) => sum + hit, 0) / hits.length;
  });
  return recalls.reduce((a, b) => a + b, 0) / classes;
}

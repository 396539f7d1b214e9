import { at } from '../checked-access.js';
import { bySize } from '../dataset/class-order.js';
import type { Evaluation } from './evaluate.js';

/** An evaluation with the instances of each class behind it. */
export type JudgedEvaluation = Pick<Evaluation, 'report' | 'estimates'> & {
  readonly counts: { readonly training: readonly number[]; readonly test: readonly number[] };
};

/** How much of a class is found. */
export interface ClassRecall {
  readonly name: string;
  readonly recall: number;
  /** Test instances of the class. */
  readonly test: number;
}

/** Classes for which a classifier is no good; each from most to fewest training instances. */
export interface NeglectedClasses {
  /** No test instance is found. */
  readonly lost: readonly ClassRecall[];
  /** Some are found, but fewer than guessing one of the classes would find. */
  readonly belowChance: readonly ClassRecall[];
  /** The share that guessing finds of a class, 1 / tested classes. */
  readonly chance: number;
}

/** Whether a classifier is worth anything, and for which classes it is not. */
export interface Verdict extends NeglectedClasses {
  /** Whether its balanced accuracy, at the low end of the interval, is above that of always answering the commonest class. */
  readonly isBetterThanGuessing: boolean;
  readonly balancedAccuracy: number | null;
  readonly accuracy: number | null;
  /** The class with the most training instances. */
  readonly commonest: string;
  /** What always answering the commonest class would get. */
  readonly baseline: Baselines;
  /** The class with the lowest recall; null if no class was tested. */
  readonly weakest: ClassRecall | null;
}

/** Metrics of always giving the same answer; null where a metric is undefined. */
export interface Baselines {
  readonly accuracy: number;
  readonly balancedAccuracy: number;
  readonly minorityAccuracy: number | null;
  readonly macroF1: number;
  readonly gMean: number;
}

/** What always answering the commonest class of training would get on the test set. */
export function baselines({ report, counts }: Pick<JudgedEvaluation, 'counts' | 'report'>): Baselines {
  const commonest = at(bySize(counts.training), 0);
  const minority = new Set(report.minority.classes);
  const tested = counts.test.filter((count) => count > 0).length;
  const right = at(counts.test, commonest);
  const accuracy = right / counts.test.reduce((sum, count) => sum + count, 0);
  const ofMinority = counts.test.filter((_, p) => minority.has(p)).reduce((sum, count) => sum + count, 0);
  return {
    accuracy,
    balancedAccuracy: right > 0 ? 1 / tested : 0,
    minorityAccuracy: ofMinority === 0 ? null : minority.has(commonest) ? right / ofMinority : 0,
    macroF1: (2 * accuracy) / (1 + accuracy) / tested,
    gMean: tested === 1 ? 1 : 0,
  };
}

/** Judges a classifier by its test set. Terminal and report say it in their own words. */
export function judge(evaluation: JudgedEvaluation): Verdict {
  const { report, estimates, counts } = evaluation;
  const order = bySize(counts.training);
  const baseline = baselines(evaluation);
  const { value, interval } = estimates.balancedAccuracy;
  const recalls = order.flatMap((p) => {
    const recall = at(estimates.recall, p).value;
    const test = at(counts.test, p);
    return recall === null || test === 0 ? [] : [{ name: at(report.perClass, p).name, recall, test }];
  });
  return {
    isBetterThanGuessing: (interval?.low ?? value ?? 0) > baseline.balancedAccuracy,
    balancedAccuracy: value,
    accuracy: estimates.accuracy.value,
    commonest: at(report.perClass, at(order, 0)).name,
    baseline,
    ...neglectedOf(recalls),
    weakest: recalls.reduce<ClassRecall | null>(
      (least, one) => (least === null || one.recall < least.recall ? one : least),
      null,
    ),
  };
}

/** Finds the classes that a classifier is no good for. */
export function neglectedOf(recalls: readonly ClassRecall[]): NeglectedClasses {
  const chance = recalls.length < 2 ? 0 : 1 / recalls.length;
  return {
    lost: recalls.filter(({ recall }) => recall === 0),
    belowChance: recalls.filter(({ recall }) => recall > 0 && recall < chance),
    chance,
  };
}

import type { Column } from '../bins/column.js';
import type { Tree } from './tree.js';

/** A member of a model: the scores before its first tree, and the trees of its rounds, one per class or, for two classes, one. */
export interface Member {
  readonly baseline: Float32Array;
  /** `[round][tree of the round]` */
  readonly rounds: readonly (readonly Tree[])[];
}

/** Boosted trees: every member adds up scores, its probabilities are their softmax, and the model's are the mean of the members'. */
export interface TreeModel {
  readonly classes: number;
  readonly columns: readonly Column[];
  readonly members: readonly Member[];
}

/** Where the trees of a member write: two classes have one score, that of the second. */
export function firstScored({ classes }: TreeModel, { baseline }: Member): number {
  return classes - baseline.length;
}

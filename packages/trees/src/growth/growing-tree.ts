import type { Column } from '../bins/column.js';
import { at } from '../checked-access.js';
import { leftBins, type Split, type Tree, type TreeNode, treeOf } from '../model/tree.js';
import { BIN_BYTES } from '../wasm/histogram-kernels.js';
import { RECORD } from '../wasm/split-kernel.js';
import type { GrowthOptions, Units, Workspace } from './workspace.js';

/** Parts of a leaf whose rows are all alike have the same score but for rounding. */
const ABOVE_ROUNDING = 1 + 1e-12;

/** The sums of a leaf, exact. */
export interface Sums {
  readonly gradients: bigint;
  /** Hessians and count. */
  readonly hessians: bigint;
}

/** A leaf of a tree that grows. */
export interface Leaf extends Sums {
  readonly node: number;
  /** Its rows in the list of the tree. */
  readonly start: number;
  readonly count: number;
  /** Where its histograms are. */
  readonly slot: number;
  readonly depth: number;
  best: FoundSplit | null;
}

/** The best split of a leaf. */
interface FoundSplit extends Split {
  readonly gain: number;
  readonly table: Uint8Array;
  readonly left: Sums;
}

/** The two children of the leaf that is being divided. The histograms of the one with fewer rows are counted, those of the other are what is left. */
export interface Division {
  readonly split: FoundSplit;
  readonly parent: Leaf;
  readonly left: Leaf;
  readonly right: Leaf;
}

/** A tree while it grows, leaf by leaf: always the one whose split gains the most. Every thread has its own, and all are equal. */
export class GrowingTree {
  readonly nodes: TreeNode[] = [];
  readonly leaves: Leaf[] = [];
  readonly #countMask: bigint;

  constructor(
    private readonly options: GrowthOptions,
    private readonly units: Units,
    private readonly countBits: number,
    root: Sums,
  ) {
    this.#countMask = (1n << BigInt(countBits)) - 1n;
    this.#addLeaf(root, 0, 0, 0);
  }

  #addLeaf(sums: Sums, start: number, slot: number, depth: number): Leaf {
    const { gradients, hessians } = sums;
    const count = Number(hessians & this.#countMask);
    const leaf = { gradients, hessians, node: this.nodes.length, start, count, slot, depth, best: null };
    this.nodes.push({ split: null, value: this.#valueOf(sums) });
    this.leaves.push(leaf);
    return leaf;
  }

  /** −G/(H + λ), bounded, times the learning rate; in float32, as every runtime of ONNX has it. */
  #valueOf({ gradients, hessians }: Sums): number {
    const { l2, learningRate, maximalLeafValue } = this.options;
    const gradient = Number(gradients) * this.units.gradient;
    const hessian = Number(hessians >> BigInt(this.countBits)) * this.units.hessian;
    const step = hessian + l2 === 0 ? 0 : -gradient / (hessian + l2);
    return Math.fround(learningRate * Math.max(-maximalLeafValue, Math.min(maximalLeafValue, step)));
  }

  /** G²/(H + λ) in units, and a little more than rounding brings about: what a split has to beat. */
  scoreToBeat({ gradients, hessians }: Sums): number {
    const hessian = Number(hessians >> BigInt(this.countBits)) + this.options.l2 / this.units.hessian;
    return hessian === 0 ? 0 : (Number(gradients) ** 2 / hessian) * ABOVE_ROUNDING;
  }

  /** Whether a split of the leaf is worth looking for. */
  canDivide({ count, depth }: Leaf): boolean {
    const { leaves, minimalLeafRows, maximalDepth } = this.options;
    return this.leaves.length < leaves && count >= 2 * minimalLeafRows && depth < maximalDepth;
  }

  /** Divides the best leaf; undefined if none is left that can be divided. */
  divide(): Division | undefined {
    if (this.leaves.length >= this.options.leaves) return undefined;
    let parent: Leaf | undefined;
    let split: FoundSplit | undefined;
    for (const leaf of this.leaves) {
      if (leaf.best !== null && (split === undefined || leaf.best.gain > split.gain)) {
        parent = leaf;
        split = leaf.best;
      }
    }
    if (parent === undefined || split === undefined) return undefined;
    // Every leaf has a slot, and the first ones are taken.
    const free = this.leaves.length;
    this.leaves.splice(this.leaves.indexOf(parent), 1);
    const right = {
      gradients: parent.gradients - split.left.gradients,
      hessians: parent.hessians - split.left.hessians,
    };
    const leftCount = Number(split.left.hessians & this.#countMask);
    const leftIsSmaller = 2 * leftCount <= parent.count;
    const depth = parent.depth + 1;
    const [leftSlot, rightSlot] = leftIsSmaller ? [free, parent.slot] : [parent.slot, free];
    const leftLeaf = this.#addLeaf(split.left, parent.start, leftSlot, depth);
    const rightLeaf = this.#addLeaf(right, parent.start + leftCount, rightSlot, depth);
    at(this.nodes, parent.node).split = { ...split, left: leftLeaf.node, right: rightLeaf.node };
    return { split, parent, left: leftLeaf, right: rightLeaf };
  }

  /** Reads the best split of a leaf from what was found for each feature. Of equal ones the first feature's stays. */
  readBest(space: Workspace, leaf: Leaf, records: number): void {
    const parentScore = this.scoreToBeat(leaf);
    let best = parentScore;
    let found = -1;
    for (let feature = 0; feature < space.layout.features; feature++) {
      const score = at(space.float64, (records + feature * RECORD.bytes + RECORD.score) / 8);
      if (score > best) {
        best = score;
        found = feature;
      }
    }
    if (found < 0) return;
    const gain = (best - parentScore) * (this.units.gradient ** 2 / this.units.hessian);
    if (!(gain > this.options.minimalGain)) return;
    const record = records + found * RECORD.bytes;
    const column = at(space.columns, found);
    const left = {
      gradients: at(space.int64, (record + RECORD.gradients) / 8),
      hessians: at(space.int64, (record + RECORD.hessians) / 8),
    };
    const leftIsLarger = 2 * Number(left.hessians & this.#countMask) > leaf.count;
    const split = readSplit(space, column, found, record, leftIsLarger);
    leaf.best = { ...split, gain, left, table: leftBins(column, split) };
  }

  finished(): Tree {
    return treeOf(this.nodes);
  }
}

/** @param leftIsLarger - where missing values go if there were none to learn it from */
function readSplit(
  { int32, bytes }: Workspace,
  column: Column,
  feature: number,
  record: number,
  leftIsLarger: boolean,
): Split {
  if (column.kind === 'category') {
    const bits = record + RECORD.categories;
    const listed = column.categories.filter((_, bin) => ((at(bytes, bits + (bin >> 3)) >> (bin & 7)) & 1) === 1);
    return { feature, threshold: 0, missingLeft: false, categories: listed.sort() };
  }
  const bin = at(int32, (record + RECORD.bin) / 4) / BIN_BYTES;
  const missingLeft = column.missing ? at(int32, (record + RECORD.missingLeft) / 4) === 1 : leftIsLarger;
  // What divides the numbers from the missing values is above all numbers.
  return { feature, threshold: column.edges[bin] ?? Number.POSITIVE_INFINITY, missingLeft, categories: null };
}

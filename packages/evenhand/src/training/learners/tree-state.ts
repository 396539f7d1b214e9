import { type State, StateError, type StateTensor } from '@evenhand/engine';
import type { Tree, TreeModel } from '@evenhand/trees';
import { at, float32At } from '../../checked-access.js';

/** Trees as they are trained: `[round][member][tree of the round]`. */
type TreeRounds = readonly (readonly (readonly Tree[])[])[];

/** What trees have learned. */
export interface GrownTrees {
  /** `[member]`: scores before the first tree. */
  readonly baselines: readonly Float32Array[];
  readonly rounds: TreeRounds;
}

/** What is kept of every node, one list for all trees. All of it is exact in float32: numbers of nodes and columns are far below 2²⁴. */
const NODE_LISTS = ['features', 'thresholds', 'missingLeft', 'left', 'right', 'values', 'gains'] as const;

/** Trees as tensors, which checkpoints keep: all nodes one after the other, and how many each tree has. */
export function stateOfTrees({ baselines, rounds }: GrownTrees): State {
  const trees = rounds.flat(2);
  const categories = trees.flatMap((tree) => tree.categories);
  const scores = baselines[0]?.length ?? 0;
  const state = new Map<string, StateTensor>([
    ['trees/baselines', { shape: [baselines.length, scores], data: joined(baselines) }],
    [
      'trees/nodes',
      {
        shape: [rounds.length, baselines.length, scores],
        data: Float32Array.from(trees, ({ features }) => features.length),
      },
    ],
    ...NODE_LISTS.map((name): [string, StateTensor] => [`trees/${name}`, vector(joined(trees.map((t) => t[name])))]),
    // A node that asks for no category has none, and so has a length of −1: an empty list is something else.
    ['trees/categoryCounts', vector(Float32Array.from(categories, (list) => list?.length ?? -1))],
    ['trees/categories', vector(joined(categories.map((list) => list ?? new Float32Array())))],
  ]);
  return state;
}

function vector(data: Float32Array<ArrayBuffer>): StateTensor {
  return { shape: [data.length], data };
}

function joined(lists: readonly ArrayLike<number>[]): Float32Array<ArrayBuffer> {
  const all = new Float32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const list of lists) {
    all.set(list, end);
    end += list.length;
  }
  return all;
}

/**
 * The trees that {@link stateOfTrees} was given.
 *
 * @throws StateError of the engine if it is the state of something else
 */
export function treesOfState(state: State): GrownTrees {
  const tensor = (name: string): StateTensor => {
    const found = state.get(`trees/${name}`);
    if (found !== undefined) return found;
    throw new StateError(`"trees/${name}" belongs to boosted trees, received nothing; give a state of trees`);
  };
  const nodes = tensor('nodes');
  const [rounds = 0, members = 0, scores = 0] = nodes.shape;
  const baselines = tensor('baselines').data;
  const lists = Object.fromEntries(NODE_LISTS.map((name) => [name, tensor(name).data]));
  const nextNodes = (name: (typeof NODE_LISTS)[number], from: number, count: number) =>
    (lists[name] ?? new Float32Array()).subarray(from, from + count);
  const [categoryCounts, categories] = [tensor('categoryCounts').data, tensor('categories').data];
  let [firstNode, firstCategory, read] = [0, 0, 0];
  const nextCategories = (node: number): Float32Array | null => {
    const length = float32At(categoryCounts, node);
    if (length < 0) return null;
    firstCategory += length;
    return categories.slice(firstCategory - length, firstCategory);
  };
  const nextTree = (): Tree => {
    const [from, count] = [firstNode, float32At(nodes.data, read++)];
    firstNode += count;
    return {
      features: Int32Array.from(nextNodes('features', from, count)),
      thresholds: nextNodes('thresholds', from, count).slice(),
      missingLeft: Uint8Array.from(nextNodes('missingLeft', from, count)),
      categories: Array.from({ length: count }, (_, i) => nextCategories(from + i)),
      left: Int32Array.from(nextNodes('left', from, count)),
      right: Int32Array.from(nextNodes('right', from, count)),
      values: nextNodes('values', from, count).slice(),
      gains: nextNodes('gains', from, count).slice(),
    };
  };
  return {
    baselines: Array.from({ length: members }, (_, member) => baselines.slice(member * scores, (member + 1) * scores)),
    rounds: Array.from({ length: rounds }, () =>
      Array.from({ length: members }, () => Array.from({ length: scores }, nextTree)),
    ),
  };
}

/** Trees as what predicts. Of its columns it needs no more than their number. */
export function modelOfTrees({ baselines, rounds }: GrownTrees, classes: number, columns: number): TreeModel {
  const column = { kind: 'number', edges: new Float32Array(), missing: true } as const;
  return {
    classes,
    columns: Array.from({ length: columns }, () => column),
    members: baselines.map((baseline, member) => ({ baseline, rounds: rounds.map((trees) => at(trees, member)) })),
  };
}

import type { readModel } from '@evenhand/engine';

type TreeNode = NonNullable<ReturnType<typeof readModel>['graph']>['node'][number];

/** The operator that trees are written with. */
export const TREES = 'ai.onnx.ml:TreeEnsembleRegressor';

/** Attributes with an entry for every node of the trees. */
const OF_NODES = [
  ...['nodes_treeids', 'nodes_nodeids', 'nodes_featureids', 'nodes_modes', 'nodes_values', 'nodes_truenodeids'],
  ...['nodes_falsenodeids', 'nodes_missing_value_tracks_true'],
];
/** Attributes with an entry for every leaf. */
const OF_LEAVES = ['target_treeids', 'target_nodeids', 'target_ids', 'target_weights'];
const MODES: ReadonlySet<string> = new Set(['LEAF', 'BRANCH_LEQ', 'BRANCH_EQ']);

/**
 * What is wrong with the trees of an operator, if anything. ONNX Runtime believes what a file says of them: a node that is its own
 * ancestor is gone through for ever, and one that is not there is read from somewhere else.
 *
 * @param columns - that trees are given
 */
export function faultOfTrees({ attribute }: TreeNode, columns: number): string | undefined {
  const attributes = new Map(attribute.map((one) => [one.name, one]));
  const integers = (name: string) => (attributes.get(name)?.ints ?? []).map(Number);
  const lengthOf = (name: string) => {
    const { ints = [], floats = [], strings = [] } = attributes.get(name) ?? {};
    return ints.length + floats.length + strings.length;
  };
  const targets = Number(attributes.get('n_targets')?.i ?? 0n);
  const trees = integers('nodes_treeids');
  if (OF_NODES.some((name) => lengthOf(name) !== trees.length)) return 'they do not say the same of every node';
  const modes = (attributes.get('nodes_modes')?.strings ?? []).map((mode) => new TextDecoder().decode(mode));
  if (modes.some((mode) => !MODES.has(mode))) return 'a node asks for something else than numbers and categories';
  if (integers('nodes_featureids').some((feature) => feature < 0 || feature >= columns))
    return 'a node asks for a column that is not there';

  const nodes = integers('nodes_nodeids');
  const sizes = new Map<number, number>();
  for (const [i, tree] of trees.entries()) {
    if (nodes[i] !== (sizes.get(tree) ?? 0)) return 'their nodes are not in order';
    sizes.set(tree, (sizes.get(tree) ?? 0) + 1);
  }
  const children = [integers('nodes_truenodeids'), integers('nodes_falsenodeids')];
  const leaves = new Set<string>();
  for (const [i, tree] of trees.entries()) {
    const [own = 0, size = 0] = [nodes[i], sizes.get(tree)];
    if (modes[i] === 'LEAF') leaves.add(`${tree}/${own}`);
    else if (children.some((list) => !((list[i] ?? 0) > own && (list[i] ?? 0) < size)))
      return 'a node leads to one in front of it, or to one that is not there';
  }
  const leafTrees = integers('target_treeids');
  if (OF_LEAVES.some((name) => lengthOf(name) !== leafTrees.length)) return 'they do not say the same of every leaf';
  const leafNodes = integers('target_nodeids');
  if (leafTrees.some((tree, i) => !leaves.has(`${tree}/${leafNodes[i]}`))) return 'a value belongs to no leaf';
  if (integers('target_ids').some((target) => !(target >= 0 && target < targets))) return 'a value belongs to no class';
  return undefined;
}

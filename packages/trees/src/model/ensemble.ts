import { at } from '../checked-access.js';
import { firstScored, type Member, type TreeModel } from './model.js';
import { splitAt, type Tree } from './tree.js';

/** The attributes of a `TreeEnsembleRegressor`: those of nodes one per node, those of targets one per leaf. */
export type EnsembleAttributes = Readonly<Record<string, Float32Array | Int32Array | readonly string[] | number>>;

/** The nodes and leaves of an ensemble, collected tree by tree. */
class EnsembleWriter {
  readonly #trees: number[] = [];
  readonly #nodes: number[] = [];
  readonly #features: number[] = [];
  readonly #modes: string[] = [];
  readonly #values: number[] = [];
  readonly #whenTrue: number[] = [];
  readonly #whenFalse: number[] = [];
  readonly #missing: number[] = [];
  readonly #leafTrees: number[] = [];
  readonly #leafNodes: number[] = [];
  readonly #leafClasses: number[] = [];
  readonly #leafValues: number[] = [];
  #count = 0;

  /**
   * Categories are asked for one by one: equal to the first? to the second? … each yes leads to the same node, and the last no to the other. ONNX
   * Runtime makes one test of such a chain.
   */
  add(tree: Tree, target: number): void {
    const id = this.#count++;
    const chains = tree.categories.map((categories) => (categories === null ? 1 : categories.length));
    // A node of ours is as many of ONNX's, one after the other.
    const starts: number[] = [];
    let next = 0;
    for (const length of chains) {
      starts.push(next);
      next += length;
    }
    tree.features.forEach((feature, node) => {
      const start = at(starts, node);
      if (feature < 0) {
        this.#addNode(id, start, 0, 'LEAF', 0, 0, 0, 0);
        this.#leafTrees.push(id);
        this.#leafNodes.push(start);
        this.#leafClasses.push(target);
        this.#leafValues.push(at(tree.values, node));
        return;
      }
      const { threshold, missingLeft, categories } = splitAt(tree, node);
      const left = at(starts, at(tree.left, node));
      const right = at(starts, at(tree.right, node));
      if (categories === null) {
        this.#addNode(id, start, feature, 'BRANCH_LEQ', threshold, left, right, missingLeft ? 1 : 0);
        return;
      }
      categories.forEach((category, i) => {
        const otherwise = i === categories.length - 1 ? right : start + i + 1;
        this.#addNode(id, start + i, feature, 'BRANCH_EQ', category, left, otherwise, 0);
      });
    });
  }

  #addNode(
    tree: number,
    node: number,
    feature: number,
    mode: string,
    value: number,
    whenTrue: number,
    whenFalse: number,
    missing: number,
  ): void {
    this.#trees.push(tree);
    this.#nodes.push(node);
    this.#features.push(feature);
    this.#modes.push(mode);
    this.#values.push(value);
    this.#whenTrue.push(whenTrue);
    this.#whenFalse.push(whenFalse);
    this.#missing.push(missing);
  }

  attributes(targets: number, baseline: Float32Array): EnsembleAttributes {
    return {
      n_targets: targets,
      base_values: baseline,
      nodes_treeids: Int32Array.from(this.#trees),
      nodes_nodeids: Int32Array.from(this.#nodes),
      nodes_featureids: Int32Array.from(this.#features),
      nodes_modes: this.#modes,
      nodes_values: Float32Array.from(this.#values),
      nodes_truenodeids: Int32Array.from(this.#whenTrue),
      nodes_falsenodeids: Int32Array.from(this.#whenFalse),
      nodes_missing_value_tracks_true: Int32Array.from(this.#missing),
      target_treeids: Int32Array.from(this.#leafTrees),
      target_nodeids: Int32Array.from(this.#leafNodes),
      target_ids: Int32Array.from(this.#leafClasses),
      target_weights: Float32Array.from(this.#leafValues),
    };
  }
}

/** A member as the attributes of one or several ensembles of at most so many trees; the first has the baseline. */
export function ensembleOf(model: TreeModel, member: Member, treesPerEnsemble: number): EnsembleAttributes[] {
  const first = firstScored(model, member);
  const perEnsemble = Math.max(1, Math.floor(treesPerEnsemble / member.baseline.length));
  const ensembles: EnsembleAttributes[] = [];
  for (let from = 0; from === 0 || from < member.rounds.length; from += perEnsemble) {
    const writer = new EnsembleWriter();
    for (const trees of member.rounds.slice(from, from + perEnsemble)) {
      for (const [i, tree] of trees.entries()) writer.add(tree, first + i);
    }
    const baseline = new Float32Array(model.classes);
    if (from === 0) baseline.set(member.baseline, first);
    ensembles.push(writer.attributes(model.classes, baseline));
  }
  return ensembles;
}

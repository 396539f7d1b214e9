import type { Column } from '../bins/column.js';
import { at } from '../checked-access.js';
import { growTrees } from '../growth/grow-trees.js';
import type { GrowthOptions, Units, Workspace } from '../growth/workspace.js';
import { type LabelRows, type LossOptions, lossOf } from '../losses/labels.js';
import type { Tree } from '../model/tree.js';
import { baselineOf, scoresOfTrees } from './baseline.js';
import { type Objective, unitsOf, writeGradients } from './gradients.js';
import { heldOutLoss, trainingLoss } from './held-out-loss.js';
import { type ClassDraw, drawColumns, drawRows, type RowShares } from './sample.js';
import { addLeaves, addTree } from './scores.js';
import { selfPacedShares } from './self-paced.js';

/** How boosting goes on, apart from the trees themselves. */
export interface BoostingOptions extends GrowthOptions {
  readonly loss: LossOptions;
  readonly rowShare: number;
  /** Of the rows of each label, on top of that. */
  readonly classShares: readonly number[] | undefined;
  readonly classDraw: ClassDraw;
  /** Rounds in all, which self-paced draws go by. */
  readonly rounds: number;
  readonly columnShare: number;
  readonly seed: number;
}

/** What a round has brought. */
export interface Round {
  /** `[member][tree of the round]` */
  readonly trees: readonly (readonly Tree[])[];
  /** The loss of the rows that members leave out, or null where there are none. */
  readonly heldOutLoss: number | null;
}

/** Boosting, round by round. Every thread of a team has one and does the same with it. */
export class Boosting {
  readonly #space: Workspace;
  readonly #options: BoostingOptions;
  readonly #target: Objective;
  #objective: Objective;
  #units: Units;
  #round = 0;
  #sampled: { readonly member: number; readonly rows: number } | undefined;
  /** `[member][tree]`: the scores before the first round. */
  readonly baselines: readonly Float32Array[];

  /**
   * @param labels - what is to be learned, and what the loss of held-out rows is measured with
   * @param baseline - scores of the classes before the first tree, if not those of the labels
   */
  constructor(
    space: Workspace,
    options: BoostingOptions,
    classes: number,
    labels: LabelRows,
    baseline: Float32Array | undefined,
  ) {
    this.#space = space;
    this.#options = options;
    this.#target = { loss: lossOf(options.loss), labels, classes };
    this.#objective = this.#target;
    this.#units = unitsOf(space, this.#target);
    const { members, trees } = space.layout;
    this.baselines = Array.from({ length: members }, (_, member) =>
      baseline === undefined ? baselineOf(space, this.#target, member) : scoresOfTrees(baseline, trees),
    );
    this.#setScores();
  }

  get round(): number {
    return this.#round;
  }

  get columns(): readonly Column[] {
    return this.#space.columns;
  }

  #setScores(): void {
    const { layout, float64, team } = this.#space;
    team.share(layout.members, (member) => {
      const baseline = at(this.baselines, member);
      const scores = layout.scores / 8 + member * layout.rows * layout.trees;
      for (let i = 0; i < layout.rows * layout.trees; i++) float64[scores + i] = baseline[i % layout.trees] ?? 0;
    });
  }

  /** Other labels from the next round on. */
  setLabels(labels: LabelRows): void {
    this.#objective = { ...this.#target, labels };
    this.#units = unitsOf(this.#space, this.#objective);
  }

  /** Trains one round: a tree for every class of every member. */
  advance(): Round {
    const { members } = this.#space.layout;
    const trees = Array.from({ length: members }, (_, member) => this.#advanceMember(member));
    this.#round++;
    return { trees, heldOutLoss: heldOutLoss(this.#space, this.#target) };
  }

  /** The mean loss of rows that members learn from, with the labels of now, over all members. */
  trainingLoss(): number {
    return trainingLoss(this.#space, this.#objective);
  }

  #advanceMember(member: number): Tree[] {
    const space = this.#space;
    const { layout, team } = space;
    const { columnShare, seed } = this.#options;
    const sampled = this.#sampleRows(member);
    team.share(layout.chunks, (chunk) => writeGradients(space, this.#objective, this.#units, member, chunk));
    const built: Tree[] = [];
    for (let first = 0; first < layout.trees; first += layout.batch) {
      const planned = Array.from({ length: Math.min(layout.batch, layout.trees - first) }, (_, i) => ({
        tree: first + i,
        features: drawColumns(layout.features, columnShare, [seed, member, this.#round, first + i]),
      }));
      const growing = growTrees(space, this.#options, this.#units, planned, sampled);
      const grown = growing.map((tree, i) => ({ tree: first + i, growing: tree }));
      addLeaves(space, member, grown);
      for (const { tree, growing: one } of grown) {
        const finished = one.finished();
        built.push(finished);
        if (sampled < layout.rows) addTree(space, member, tree, finished, sampled, layout.rows);
      }
    }
    return built;
  }

  #sampleRows(member: number): number {
    const { rowShare, classShares, classDraw, seed } = this.#options;
    if (rowShare === 1 && classShares === undefined && this.#sampled?.member === member) return this.#sampled.rows;
    const shares = this.#shares(member);
    const position = { seed, member, round: this.#round };
    const rows = drawRows(this.#space, position, { rowShare, shares, inBags: classDraw === 'once' });
    this.#sampled = { member, rows };
    return rows;
  }

  #shares(member: number): RowShares['shares'] {
    const { classShares, classDraw, rounds } = this.#options;
    if (classShares === undefined) return undefined;
    if (classDraw !== 'self-paced') return () => (_, label) => classShares[label] ?? 1;
    const progress = this.#round / rounds;
    return () => selfPacedShares(this.#space, this.#objective, { member, classShares, progress });
  }

  /** Goes on behind rounds that were trained before: adds their trees to the scores, in the order in which training did. */
  restore(rounds: readonly (readonly (readonly Tree[])[])[]): void {
    const space = this.#space;
    drawRows(space, { seed: 0, member: -1, round: 0 }, { rowShare: 1 });
    this.#sampled = undefined;
    for (const members of rounds) {
      members.forEach((trees, member) => {
        for (const [tree, built] of trees.entries()) addTree(space, member, tree, built, 0, space.layout.rows);
      });
      this.#round++;
    }
  }
}

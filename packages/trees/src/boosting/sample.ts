import { at } from '../checked-access.js';
import type { Workspace } from '../growth/workspace.js';
import { randomNumbers } from '../random.js';
import { learnsFrom } from '../training-data.js';

/** Keeps what is drawn for rows, for columns and for bags apart. */
const DRAW = { rows: 1, columns: 2, bags: 3 };

/** Ways of drawing rows of classes that are under-sampled. */
export const CLASS_DRAWS = ['each-round', 'once', 'self-paced'] as const;

/** How rows of classes with a share are drawn. */
export type ClassDraw = (typeof CLASS_DRAWS)[number];

/** Where in training rows are drawn. */
interface DrawPosition {
  readonly seed: number;
  readonly member: number;
  readonly round: number;
}

/** Which part of its rows a member learns from in a round. */
export interface RowShares {
  readonly rowShare: number;
  /** Makes what says the share of a row, on top of that. Only the thread that draws asks for it. @defaultValue all 1 */
  readonly shares?: (() => (row: number, label: number) => number) | undefined;
  /** Whether that second share is drawn once, and not anew in every round. @defaultValue false */
  readonly inBags?: boolean;
}

/**
 * Lists the rows that a member learns from in a round, in front of those that it does not: it leaves out its fold, rows without weight, and by chance
 * the rest of the share. Returns how many it learns from.
 */
export function drawRows(
  space: Workspace,
  { seed, member, round }: DrawPosition,
  { rowShare, shares = () => () => 1, inBags = false }: RowShares,
): number {
  const { layout, team, int32, float32 } = space;
  team.share(1, () => {
    const random = randomNumbers(seed, DRAW.rows, member, round);
    const shareOf = shares();
    const ofBag = randomNumbers(seed, DRAW.bags, member);
    const list = layout.sample / 4;
    // Those that are left out are kept in the room that leaves divide their rows in.
    const others = layout.leftRows / 4;
    let taken = 0;
    let leftOut = 0;
    for (let row = 0; row < layout.rows; row++) {
      const fold = int32[layout.folds / 4 + row] ?? -1;
      const learns = learnsFrom(member, fold) && (float32[layout.weights / 4 + row] ?? 0) > 0;
      const ofLabel = shareOf(row, int32[layout.labels / 4 + row] ?? 0);
      const isInBag = !inBags || ofLabel === 1 || ofBag() < ofLabel;
      const share = inBags ? rowShare : rowShare * ofLabel;
      if (learns && isInBag && (share === 1 || random() < share)) int32[list + taken++] = row;
      else int32[others + leftOut++] = row;
    }
    int32.copyWithin(list + taken, others, others + leftOut);
    int32[layout.chunkLefts / 4] = taken;
  });
  return at(int32, layout.chunkLefts / 4);
}

/** 1 for each of the columns that a tree may ask for. */
export function drawColumns(
  columns: number,
  share: number,
  keys: readonly [number, number, number, number],
): Uint8Array {
  const taken = new Uint8Array(columns);
  const count = Math.max(1, Math.ceil(share * columns));
  if (count === columns) return taken.fill(1);
  const [seed, member, round, tree] = keys;
  const random = randomNumbers(seed, DRAW.columns, member, round, tree);
  const order = Array.from({ length: columns }, (_, i) => i);
  for (let i = 0; i < count; i++) {
    const other = i + Math.floor(random() * (columns - i));
    const column = at(order, other);
    order[other] = at(order, i);
    taken[column] = 1;
  }
  return taken;
}

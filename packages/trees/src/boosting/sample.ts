import { at } from '../checked-access.js';
import type { Workspace } from '../growth/workspace.js';
import { randomNumbers } from '../random.js';

/** Keeps what is drawn for rows and what is drawn for columns apart. */
const DRAW = { rows: 1, columns: 2 };

/** Which part of its rows a member learns from in a round. */
export interface RowShares {
  readonly rowShare: number;
  /** Of the rows of each label, on top of that. */
  readonly classShares?: readonly number[] | undefined;
}

/**
 * Lists the rows that a member learns from in a round, in front of those that it does not: it leaves out its fold, rows without weight, and by chance
 * the rest of the share. Returns how many it learns from.
 */
export function drawRows(
  space: Workspace,
  member: number,
  round: number,
  { rowShare, classShares }: RowShares,
  seed: number,
): number {
  const { layout, team, int32, float32 } = space;
  team.share(1, () => {
    const random = randomNumbers(seed, DRAW.rows, member, round);
    const list = layout.sample / 4;
    // Those that are left out are kept in the room that leaves divide their rows in.
    const others = layout.leftRows / 4;
    let taken = 0;
    let leftOut = 0;
    for (let row = 0; row < layout.rows; row++) {
      const learns = int32[layout.folds / 4 + row] !== member && (float32[layout.weights / 4 + row] ?? 0) > 0;
      const share = rowShare * (classShares?.[int32[layout.labels / 4 + row] ?? 0] ?? 1);
      if (learns && (share === 1 || random() < share)) int32[list + taken++] = row;
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

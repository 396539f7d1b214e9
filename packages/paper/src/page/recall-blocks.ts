import { NONE } from 'evenhand/report';
import { at } from '../checked-access.js';
import { rarestFirst } from './chart-classes.js';
import { type Block, type Prose, paragraph } from './document.js';
import type { ResultRow, ResultTable } from './results.js';
import { cellsTitle, tableTitle } from './titles.js';

/** Classes up to which each has a column of its own. */
const FEW = 10;
const GROUPS = 4;

/** Classes whose recall is shown as one number. */
interface ClassGroup {
  readonly name: string;
  readonly classes: readonly number[];
}

/** The recall of every class, or of groups of classes where there are many; a table for each data set. */
export function recallBlocks(table: ResultTable): Block[] {
  const settings = [...new Set(table.rows.map(({ setting }) => setting))];
  return settings.flatMap((setting): Block[] => {
    const rows = table.rows.filter((row) => row.setting === setting);
    const counts = rows.flatMap(({ cells }) => cells)[0]?.trainingCounts;
    const title = setting.title;
    if (counts === undefined) return [paragraph(`${title}: not run.`)];
    const groups = groupsOf(counts);
    return [
      paragraph(`${title}, in per cent, mean over seeds; in brackets the number of training images per class.`),
      {
        kind: 'table',
        label: `Recall in ${tableTitle(table)}, ${title}`,
        columns: [{ name: 'loss, method' }, ...groups.map(({ name }) => ({ name }))],
        rows: rows.flatMap((row) => recallRows(row, groups)),
      },
    ];
  });
}

/** Named after their number of training images. */
function groupsOf(counts: readonly number[]): ClassGroup[] {
  if (counts.length <= FEW) {
    return counts.map((count, p) => ({ name: `${p} (${count.toLocaleString('en-GB')})`, classes: [p] }));
  }
  const byCount = rarestFirst(counts).reverse();
  return Array.from({ length: GROUPS }, (_, k) => {
    const start = (group: number) => Math.round((group * byCount.length) / GROUPS);
    const classes = byCount.slice(start(k), start(k + 1));
    const [most, fewest] = [at(counts, at(classes, 0)), at(counts, at(classes, classes.length - 1))];
    return { name: `${classes.length} classes (${most}–${fewest})`, classes };
  });
}

function recallRows(row: ResultRow, groups: readonly ClassGroup[]): Prose[][] {
  return (row.summary?.methods ?? []).map(({ method, recall }) => [
    cellsTitle(row, method),
    ...groups.map(({ classes }) => meanRecall(recall, classes)),
  ]);
}

function meanRecall(recall: readonly (number | null)[], classes: readonly number[]): string {
  const values = classes.flatMap((p) => recall[p] ?? []);
  return values.length === 0 ? NONE : (values.reduce((a, b) => a + b, 0) / values.length).toFixed(1);
}

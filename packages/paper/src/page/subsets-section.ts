import { counted, NONE } from 'evenhand/report';
import { points, spreadInPercent } from '../numbers.js';
import type { CellMethod } from '../tables/cell-methods.js';
import { metricIn } from './comparison.js';
import { type Block, type Prose, paragraph, type Section } from './document.js';
import { reproduceCommand } from './missing.js';
import { methodsOf, type ResultRow, type ResultTable } from './results.js';
import { rowTitle } from './titles.js';

/** How much the drawing of the images moves the results. */
export function subsetsSection(tables: readonly ResultTable[]): Section {
  const rows = tables.flatMap((table) => table.rows.filter(({ cells }) => cells.some(({ subset }) => subset > 0)));
  const command = `${reproduceCommand({ name: 'table1', scale: 'paper' }, 'long-tail/ce')} --subsets 5`;
  return {
    heading: 'Spread over draws of the images',
    blocks: [
      paragraph('Seeds alone hide how much depends on which few images of the rare classes were drawn.'),
      ...(rows.length === 0
        ? [paragraph(['Other draws have not been run yet. The command: ', { code: command }, '.'])]
        : [
            paragraph(
              'Cross-entropy, trained again with the first seed on other draws of training and validation images:',
            ),
            subsetsTable(rows),
            ...rows.flatMap(paired),
          ]),
    ],
  };
}

function subsetsTable(rows: readonly ResultRow[]): Block {
  return {
    kind: 'table',
    label: 'Top-1 accuracy over subsets',
    columns: [
      { name: 'data, loss' },
      { name: 'method', text: true },
      { name: 'subsets' },
      { name: 'top-1' },
      { name: 'lowest' },
      { name: 'highest' },
      { name: 'SD over seeds of the table' },
    ],
    rows: rows.flatMap((row) =>
      methodsOf(row).flatMap((method): Prose[][] => {
        const values = [...overSubsets(row, method).values()];
        if (values.length < 2) return [];
        const seeds = metricIn(row, method, 'top1')?.deviation ?? null;
        return [
          [
            rowTitle(row),
            method,
            String(values.length),
            spreadInPercent(values),
            points(100 * Math.min(...values)),
            points(100 * Math.max(...values)),
            seeds === null ? NONE : points(seeds),
          ],
        ];
      }),
    ),
  };
}

/** Top-1 of a method's first seed by subset, that of the table among them. */
function overSubsets({ cells }: ResultRow, method: CellMethod): Map<number, number> {
  return new Map(
    cells.filter((cell) => cell.method === method && cell.seed === 0).map(({ subset, top1 }) => [subset, top1]),
  );
}

function paired(row: ResultRow): Block[] {
  const baseline = overSubsets(row, 'one-hot');
  const differences = [...overSubsets(row, 'enhancement')].flatMap(([subset, top1]) => {
    const other = baseline.get(subset);
    return other === undefined ? [] : [top1 - other];
  });
  if (differences.length < 2) return [];
  const ahead = differences.filter((difference) => difference > 0).length;
  return [
    paragraph(
      `${rowTitle(row)}: enhancement is ahead of one-hot on ${ahead} of ${counted(differences.length, 'subset')}, ` +
        `by ${spreadInPercent(differences)} percentage points.`,
    ),
  ];
}

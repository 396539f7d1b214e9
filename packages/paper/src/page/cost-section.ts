import { SCALES, scaleOf } from '../tables/recipes.js';
import { PAPER_TABLE_NAMES } from '../tables/tables.js';
import { costText } from './cost.js';
import { paragraph, type Section } from './document.js';
import { missingRows, reproduceCommand } from './missing.js';
import type { ResultTable } from './results.js';
import { tableTitle } from './titles.js';

/** What is missing of all tables at all scales, and what it would cost. */
export function costSection(tables: readonly ResultTable[]): Section {
  const missing = PAPER_TABLE_NAMES.flatMap((name) =>
    SCALES.filter((scale) => scaleOf(name, scale) === scale).flatMap((scale) => {
      const table = tables.find((known) => known.name === name && known.scale === scale);
      const rows = missingRows(table ?? { name, scale, rows: unrun(tables, name) });
      const total = (key: 'runs' | 'seconds') => rows.reduce((sum, row) => sum + row[key], 0);
      return rows.length === 0 ? [] : [{ name, scale, runs: total('runs'), seconds: total('seconds') }];
    }),
  );
  const heading = 'What was not run, and what it would cost';
  if (missing.length === 0) return { heading, blocks: [paragraph('Everything was run.')] };
  return {
    heading,
    blocks: [
      paragraph(
        'Runs that are planned but missing. Give the commands the same --folder and --results as before. The cost is a rough estimate ' +
          'from the time that one training image took on one core of the machine that ran the tables; time grows with the area of the images. ' +
          'The paper used a Tesla V100S: its scale is meant for a GPU.',
      ),
      {
        kind: 'table',
        label: 'What was not run',
        columns: [{ name: 'table' }, { name: 'runs' }, { name: 'cost', text: true }],
        rows: missing.map((table) => [tableTitle(table), String(table.runs), costText(table.seconds)]),
      },
      { kind: 'commands', lines: missing.map((table) => reproduceCommand(table)) },
    ],
  };
}

/** The rows of a table of which nothing was run at this scale. */
function unrun(tables: readonly ResultTable[], name: ResultTable['name']): ResultTable['rows'] {
  const rows = tables.find((table) => table.name === name)?.rows ?? [];
  return rows.map(({ setting, loss }) => ({ setting, loss, cells: [], diverged: [], summary: undefined }));
}

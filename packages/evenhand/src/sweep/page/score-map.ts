import { axisX, axisY, cell, frame, text } from '@observablehq/plot';
import { at } from '../../checked-access.js';
import type { Html } from '../../report/html.js';
import { shortName, textWidth } from '../../report/names.js';
import { chart } from '../../report/plots/chart.js';
import { indexIn, isList, type Parameter } from '../domain.js';
import type { TrialOutcome } from '../outcome.js';
import { valueText } from '../values.js';

const CELL_WIDTH = 56;
const CELL_HEIGHT = 34;
/** Between labels side by side. */
const GAP = 8;
/** Share of the full colour from which light text is legible on it, on light and dark pages. */
const STRONG = 0.75;

/** Scores over the values of two lists: rows are the first one's. Only trials that were trained to the end. */
export function scoreMap(rows: Parameter, columns: Parameter, trials: readonly TrialOutcome[]): Html {
  const [rowNames, columnNames] = [namesOf(rows), namesOf(columns)];
  const scored = trials.filter(({ isComplete }) => isComplete);
  const scores = scored.flatMap(({ score }) => (score === null ? [] : [score]));
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const cells = scored.map(({ values, score }) => ({
    row: indexOfValue(rows, values[rows.path]),
    column: indexOfValue(columns, values[columns.path]),
    label: score === null ? 'diverged' : (100 * score).toFixed(1),
    // The worst is still to be seen.
    shade: score === null ? 0 : high === low ? 1 : 0.1 + (0.9 * (score - low)) / (high - low),
  }));
  const left = Math.max(...rowNames.map(textWidth)) + 34;
  const widest = Math.max(...columnNames.map(textWidth));
  const upright = widest + GAP <= CELL_WIDTH;
  const below = upright ? 14 : widest;
  const axis = { tickSize: 0, tickPadding: 5, labelArrow: 'none', labelAnchor: 'center' } as const;
  return chart(
    `Validation soft accuracy in per cent over ${rows.path} and ${columns.path}; the table has the numbers`,
    {
      width: columnNames.length * CELL_WIDTH + left + 8,
      height: rowNames.length * CELL_HEIGHT + below + 40,
      marginLeft: left,
      marginRight: 8,
      marginTop: 6,
      marginBottom: below + 34,
      x: { type: 'band', domain: columnNames.map((_, i) => i), padding: 0 },
      y: { type: 'band', domain: rowNames.map((_, i) => i), padding: 0 },
      marks: [
        cell(cells, {
          x: 'column',
          y: 'row',
          fill: 'var(--heat)',
          fillOpacity: ({ shade }) => Math.round(100 * shade) / 100,
        }),
        text(cells, {
          x: 'column',
          y: 'row',
          text: 'label',
          fill: ({ shade }) => (shade > STRONG ? 'var(--on-heat)' : 'currentColor'),
          fontSize: 11,
        }),
        frame({ strokeOpacity: 0.4 }),
        axisX({
          ...axis,
          tickFormat: (i: number) => at(columnNames, i),
          tickRotate: upright ? 0 : -90,
          label: columns.path,
          labelOffset: below + 26,
        }),
        axisY({ ...axis, tickFormat: (i: number) => at(rowNames, i), label: rows.path, labelOffset: left - 12 }),
      ],
    },
  );
}

function namesOf({ domain }: Parameter): string[] {
  return isList(domain) ? domain.map((value) => shortName(valueText(value))) : [];
}

function indexOfValue({ domain }: Parameter, value: unknown): number {
  return isList(domain) ? indexIn(domain, value) : -1;
}

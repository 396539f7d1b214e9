import { barX, ruleX, ruleY } from '@observablehq/plot';
import { at } from '../../checked-access.js';
import type { NamedImportance } from '../../runs/importance-file.js';
import type { Html } from '../html.js';
import { chartNames, textWidth } from '../names.js';
import { CHART_WIDTH, chart, seriesColour } from './chart.js';

const ROW = 20;
const MARGIN = 38;

/** How much the balanced log-loss rises without each of some columns, as bars with their intervals. */
export function importanceChart(columns: readonly NamedImportance[]): Html {
  const labels = chartNames(columns.map(({ name }) => name));
  const rows = columns.map(({ logLossRise: { value, interval } }, i) => {
    const rise = value ?? 0;
    return { label: at(labels, i), rise, low: interval?.low ?? rise, high: interval?.high ?? rise };
  });
  const colour = seriesColour(0);
  return chart('Increase of the balanced log-loss without each column, with its interval; the table has the numbers', {
    width: 1.5 * CHART_WIDTH,
    marginLeft: Math.max(...labels.map(textWidth)) + 14,
    marginRight: 20,
    marginTop: 8,
    marginBottom: MARGIN,
    height: rows.length * ROW + MARGIN + 8,
    x: { grid: true, ticks: 5, label: 'increase of the balanced log-loss', labelArrow: 'none' },
    y: { domain: labels, label: null, tickSize: 0, padding: 0.3 },
    marks: [
      barX(rows, { y: 'label', x: 'rise', fill: colour, fillOpacity: 0.55 }),
      ruleY(rows, { y: 'label', x1: 'low', x2: 'high', strokeWidth: 2 }),
      ruleX([0], { strokeOpacity: 0.4 }),
    ],
  });
}

import { dot, gridY, ruleX, ruleY } from '@observablehq/plot';
import { at } from '../../checked-access.js';
import type { Html } from '../html.js';
import { chart, seriesColour, seriesSymbol } from './chart.js';
import { type ChartClasses, classRows } from './class-rows.js';

/** The recall of a class by one method, and how far it may be off. */
export interface Recall {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Between the marks of methods in the same row. */
const OFFSET = 5;

/**
 * The recall of every class, by one or several methods.
 *
 * @param methods - for each method, for each class in the order of the class names; null where undefined
 */
export function recallChart(run: ChartClasses, methods: readonly (readonly (Recall | null)[])[]): Html {
  const { labels, options, axes } = classRows(run);
  const shown = new Set(run.classOrder);
  const marks = methods.flatMap((recalls, i) => {
    const rows = recalls.flatMap((recall, p) =>
      recall === null || !shown.has(p) ? [] : [{ ...recall, label: at(labels, p) }],
    );
    const dy = (i - (methods.length - 1) / 2) * Math.min(OFFSET, 16 / methods.length);
    const colour = seriesColour(i);
    return [
      ruleY(rows, { y: 'label', x1: 'low', x2: 'high', stroke: colour, strokeOpacity: 0.55, strokeWidth: 2, dy }),
      dot(rows, { x: 'value', y: 'label', fill: colour, symbol: seriesSymbol(i), r: 3.6, dy }),
    ];
  });
  return chart('Recall of each class with its interval; the table of classes has the numbers', {
    ...options,
    x: { domain: [0, 1], ticks: 5, grid: true },
    marks: [
      ...axes({ label: 'recall', ticks: 5, tickFormat: (share: number) => `${Math.round(100 * share)} %` }),
      gridY({ strokeOpacity: 0.12 }),
      ruleX([0], { strokeOpacity: 0.4 }),
      ...marks,
    ],
  });
}

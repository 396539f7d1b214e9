import { dot, gridY, ruleX } from '@observablehq/plot';
import type { Html } from '../html.js';
import type { RunData } from '../run-data.js';
import { chart, seriesColour, seriesSymbol } from './chart.js';
import { classRows } from './class-rows.js';

/** The parts of a split, in the order of their colours. */
export const PARTS = ['training', 'validation', 'test'] as const;

/** How many instances of each class there are to train, validate and test with; on a logarithmic axis. */
export function classCountsChart(run: RunData): Html {
  const { labels, options, axis } = classRows(run);
  const most = Math.max(...PARTS.flatMap((part) => run.evaluation.counts[part]));
  return chart('Instances of each class for training, validation and test; the table of classes has the numbers', {
    ...options,
    x: {
      axis,
      type: 'log',
      domain: [1, Math.max(10, most)],
      label: 'instances (logarithmic)',
      labelArrow: 'none',
      ticks: powersOfTen(most),
      tickFormat: (count: number) => count.toLocaleString('en-GB'),
      grid: true,
    },
    marks: [
      gridY({ strokeOpacity: 0.12 }),
      ruleX([1], { strokeOpacity: 0.4 }),
      ...PARTS.map((part, i) =>
        dot(
          run.evaluation.counts[part]
            .map((count, p) => ({ count, label: labels[p] ?? '' }))
            .filter(({ count }) => count > 0),
          { x: 'count', y: 'label', fill: seriesColour(i), symbol: seriesSymbol(i), r: 4 },
        ),
      ),
    ],
  });
}

function powersOfTen(most: number): number[] {
  return Array.from({ length: Math.ceil(Math.log10(Math.max(10, most))) + 1 }, (_, k) => 10 ** k).filter(
    (power) => power <= Math.max(10, most),
  );
}

import { dot, gridY, ruleX } from '@observablehq/plot';
import { at } from '../../checked-access.js';
import { count } from '../../wording/numbers.js';
import type { Html } from '../html.js';
import type { RunData } from '../run-data.js';
import { chart, seriesColour, seriesSymbol } from './chart.js';
import { classRows } from './class-rows.js';

/** The parts of a split, in the order of their colours. */
export const PARTS = ['training', 'validation', 'test'] as const;

/** How many instances of each class there are to train, validate and test with; on a logarithmic axis. */
export function classCountsChart(run: RunData): Html {
  const { labels, options, axes } = classRows(run);
  // In the order of the class names.
  const shown = [...run.classOrder].sort((a, b) => a - b);
  const most = Math.max(...PARTS.flatMap((part) => run.evaluation.counts[part]));
  const ticks = ticksUpTo(Math.max(10, most));
  return chart('Instances of each class for training, validation and test; the table of classes has the numbers', {
    ...options,
    x: { type: 'log', domain: [1, Math.max(10, most)], ticks, grid: true },
    marks: [
      ...axes({ label: 'instances (logarithmic)', ticks, tickFormat: count }),
      gridY({ strokeOpacity: 0.12 }),
      ruleX([1], { strokeOpacity: 0.4 }),
      ...PARTS.map((part, i) =>
        dot(
          shown
            .map((p) => ({ instances: at(run.evaluation.counts[part], p), label: at(labels, p) }))
            .filter(({ instances }) => instances > 0),
          { x: 'instances', y: 'label', fill: seriesColour(i), symbol: seriesSymbol(i), r: 4 },
        ),
      ),
    ],
  });
}

/** Powers of ten; 2 and 5 of each, too, where that leaves room. */
function ticksUpTo(most: number): number[] {
  const factors = most < 100 ? [1, 2, 5] : [1];
  const powers = Array.from({ length: Math.floor(Math.log10(most)) + 1 }, (_, k) => 10 ** k);
  return powers.flatMap((power) => factors.map((factor) => factor * power)).filter((tick) => tick <= most);
}

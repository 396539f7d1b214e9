import { dot, line } from '@observablehq/plot';
import type { Html } from '../html.js';
import { chart, seriesColour } from './chart.js';

/** What some way of answering comes to. */
export interface TradeOffPoint {
  readonly accuracy: number;
  readonly balancedAccuracy: number;
}

const axis = {
  labelArrow: 'none',
  ticks: 5,
  nice: true,
  tickFormat: (share: number) => `${Math.round(1000 * share) / 10} %`,
} as const;

/**
 * Balanced accuracy over accuracy, as answers go from the likeliest classes to those for equally frequent classes.
 *
 * @param path - from the one to the other
 * @param chosen - what the model answers
 */
export function tradeOffChart(path: readonly TradeOffPoint[], chosen: TradeOffPoint): Html {
  const place = { x: 'accuracy', y: 'balancedAccuracy' } as const;
  return chart('Trade-off: balanced accuracy over accuracy', {
    height: 330,
    marginLeft: 58,
    marginRight: 22,
    marginBottom: 38,
    marginTop: 26,
    x: { ...axis, label: 'accuracy' },
    y: { ...axis, label: 'balanced accuracy', grid: true },
    marks: [
      line(path, { ...place, stroke: seriesColour(0), strokeWidth: 1.8 }),
      dot(path.slice(0, 1), { ...place, stroke: seriesColour(0), fill: 'var(--page)', r: 5 }),
      dot([chosen], { ...place, fill: seriesColour(1), stroke: 'var(--page)', r: 5.5 }),
    ],
  });
}

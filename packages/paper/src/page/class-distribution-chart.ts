import { axisX, barY, ruleY, text } from '@observablehq/plot';
import type { Html } from 'evenhand/report';
import { chart } from 'evenhand/report';

/** Classes up to which each has its number below and its count above its bar. */
const NAMED = 10;

/** Training images of each class as bars: by class number, or from most to fewest where there are many classes. */
export function classDistributionChart(label: string, trainingCounts: readonly number[]): Html {
  const few = trainingCounts.length <= NAMED;
  const counts = few ? [...trainingCounts] : [...trainingCounts].sort((a, b) => b - a);
  const bars = counts.map((count, index) => ({ index, count, shown: count.toLocaleString('en-GB') }));
  return chart(label, {
    height: 240,
    marginLeft: 52,
    marginRight: 8,
    marginTop: 30,
    marginBottom: 38,
    x: { type: 'band', domain: bars.map(({ index }) => index), padding: few ? 0.2 : 0, axis: null },
    y: {
      label: 'training images',
      labelArrow: 'none',
      grid: true,
      insetTop: 12,
      ticks: 5,
      tickFormat: (count: number) => count.toLocaleString('en-GB'),
    },
    marks: [
      barY(bars, { x: 'index', y: 'count', fill: 'var(--series-0)' }),
      ruleY([0]),
      ...(few ? [text(bars, { x: 'index', y: 'count', text: 'shown', dy: -7, fontSize: 10 })] : []),
      axisX(few ? bars.map(({ index }) => index) : [], {
        tickSize: 0,
        label: few ? 'class' : `${counts.length} classes, from most to fewest images`,
        labelAnchor: 'center',
        labelArrow: 'none',
      }),
    ],
  });
}

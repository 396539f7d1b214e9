import { dot, line } from '@observablehq/plot';
import type { Html } from '../html.js';
import { chart, seriesColour, seriesSymbol } from './chart.js';

/** Instances of about the same confidence. */
interface ReliabilityBin {
  readonly count: number;
  readonly confidence: number;
  readonly accuracy: number;
}

const axis = {
  domain: [0, 1],
  labelArrow: 'none',
  ticks: 5,
  tickFormat: (share: number) => `${Math.round(100 * share)} %`,
} as const;

/** How often likeliest classes of some probability are right, by one or several methods; the area of a mark is its share of instances. */
export function reliabilityChart(methods: readonly (readonly ReliabilityBin[])[]): Html {
  const marks = methods.flatMap((bins, i) => {
    const filled = bins.filter(({ count }) => count > 0);
    const instances = filled.reduce((sum, { count }) => sum + count, 0);
    const colour = seriesColour(i);
    return [
      line(filled, { x: 'confidence', y: 'accuracy', stroke: colour, strokeOpacity: 0.6 }),
      dot(filled, {
        x: 'confidence',
        y: 'accuracy',
        r: ({ count }: ReliabilityBin) => 2.5 + 9 * Math.sqrt(count / instances),
        fill: colour,
        fillOpacity: 0.75,
        symbol: seriesSymbol(i),
      }),
    ];
  });
  return chart('Reliability diagram: accuracy over confidence', {
    height: 330,
    marginLeft: 52,
    marginRight: 16,
    marginBottom: 38,
    marginTop: 26,
    r: { type: 'identity' },
    x: { ...axis, label: 'confidence' },
    y: { ...axis, label: 'accuracy', grid: true },
    marks: [
      line(
        [
          [0, 0],
          [1, 1],
        ],
        { strokeDasharray: '4 4', strokeOpacity: 0.5 },
      ),
      ...marks,
    ],
  });
}

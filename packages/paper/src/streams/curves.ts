import { line, ruleX, text } from '@observablehq/plot';
import { chart, type Html, seriesColour } from 'evenhand/report';
import { EVERY } from './measure.js';
import type { StreamLine } from './stream-lines.js';
import type { ComparedStream } from './streams.js';

/** Learners that are drawn. */
const DRAWN = ['one-hot', 'enhancement', 'logit-adjustment', 'over-bagging (OOB)', 'SGDClassifier, weighted'];

/** Height of a line of the legend, in pixels. */
const LEGEND_LINE = 15;

/** G-mean over time, the mean of all seeds; undefined if there is nothing to draw. */
export function curvesOverTime(stream: ComparedStream, lines: readonly StreamLine[]): Html | undefined {
  const curves = DRAWN.flatMap((learner, series) => {
    const own = lines.filter((one) => one.stream === stream.name && one.learner === learner);
    const [first] = own;
    if (first === undefined) return [];
    const points = first.curve.map((_, i) => ({
      row: (i + 1) * EVERY,
      gMean: own.reduce((sum, { curve }) => sum + (curve[i] ?? 0), 0) / own.length,
    }));
    return [{ learner, series, points }];
  });
  if (curves.length === 0) return undefined;
  const rows = Math.max(...curves.flatMap(({ points }) => points.map(({ row }) => row)));
  return chart(`G-mean over time on the stream ${stream.name}, of ${curves.map(({ learner }) => learner).join(', ')}`, {
    width: 560,
    height: 260,
    marginLeft: 52,
    marginRight: 160,
    marginTop: 30,
    marginBottom: 38,
    x: { domain: [0, rows], label: 'rows', labelArrow: 'none', ticks: 5 },
    y: {
      domain: [0, 1],
      label: `G-mean: ${stream.name}`,
      labelArrow: 'none',
      grid: true,
      ticks: 5,
      tickFormat: (share: number) => `${Math.round(100 * share)} %`,
    },
    marks: [
      ruleX(stream.kind === 'made' && stream.change === 'swapped' ? [rows / 2] : [], {
        strokeDasharray: '3,3',
        strokeOpacity: 0.6,
      }),
      ...curves.map(({ series, points }) =>
        line(points, { x: 'row', y: 'gMean', stroke: seriesColour(series), strokeWidth: 1.8 }),
      ),
      ...curves.map(({ learner, series }, i) =>
        text([learner], {
          frameAnchor: 'top-right',
          text: (name: string) => name,
          dx: 12,
          dy: i * LEGEND_LINE,
          textAnchor: 'start',
          fill: seriesColour(series),
        }),
      ),
    ],
  });
}

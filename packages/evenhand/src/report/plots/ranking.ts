import { dot, line, rectY, ruleX, ruleY } from '@observablehq/plot';
import type { Html } from '../html.js';
import { type Cut, cornersOf } from '../ranking-curves.js';
import { chart, seriesColour, seriesSymbol } from './chart.js';

/** What one method's scores can do, and where its answers are among that. */
export interface Ranking {
  readonly cuts: readonly Cut[];
  readonly answers: Pick<Cut, 'truePositiveRate' | 'falsePositiveRate' | 'precision'>;
}

const share = (value: number) => `${Math.round(100 * value)} %`;
const axis = { domain: [0, 1], labelArrow: 'none', ticks: 5, tickFormat: share } as const;
const frame = { height: 330, marginLeft: 52, marginRight: 16, marginBottom: 38, marginTop: 26 } as const;
const guess = { strokeDasharray: '4 4', strokeOpacity: 0.5 };

/** True against false positives for all cuts of the scores, by one or several methods; marks are the answers. */
export function rocChart(methods: readonly Ranking[]): Html {
  const marks = methods.flatMap(({ cuts, answers }, i) => {
    const points = cornersOf(cuts).map(({ falsePositiveRate, truePositiveRate }) => [
      falsePositiveRate,
      truePositiveRate,
    ]);
    return [
      line([[0, 0], ...points], { stroke: seriesColour(i), strokeWidth: 1.8 }),
      answer([[answers.falsePositiveRate, answers.truePositiveRate]], i),
    ];
  });
  return chart('ROC curve: true positives over false positives', {
    ...frame,
    x: { ...axis, label: 'false positives, of the others' },
    y: { ...axis, label: 'true positives: recall', grid: true },
    marks: [
      line(
        [
          [0, 0],
          [1, 1],
        ],
        guess,
      ),
      ...marks,
    ],
  });
}

/** Precision against recall for all cuts of the scores; `prevalence` is the precision of guessing. */
export function precisionRecallChart(methods: readonly Ranking[], prevalence: number): Html {
  const marks = methods.flatMap(({ cuts, answers }, i) => {
    const points = cornersOf(cuts).map(({ truePositiveRate, precision }) => [truePositiveRate, precision] as const);
    const [first] = points;
    return [
      // Up to a cut's recall its precision holds: what average precision sums up.
      line([...(first === undefined ? [] : [[0, first[1]] as const]), ...points], {
        stroke: seriesColour(i),
        strokeWidth: 1.8,
        curve: 'step-before',
      }),
      answer([[answers.truePositiveRate, answers.precision]], i),
    ];
  });
  return chart('Precision over recall', {
    ...frame,
    x: { ...axis, label: 'recall' },
    y: { ...axis, label: 'precision', grid: true },
    marks: [ruleY([prevalence], guess), ...marks],
  });
}

function answer(point: readonly (readonly number[])[], series: number) {
  return dot(
    point.filter((values) => values.every(Number.isFinite)),
    {
      fill: seriesColour(series),
      stroke: 'var(--page)',
      symbol: seriesSymbol(series),
      r: 5.5,
    },
  );
}

/**
 * How the scores of each class spread, as shares of the class, so that a rare one is seen beside a frequent one.
 *
 * @param shares - for each class, of each bin from 0 to 1
 * @param threshold - the score from which the answer is the positive class
 */
export function scoreHistogram(shares: readonly (readonly number[])[], threshold: number): Html {
  const marks = shares.map((bins, series) => {
    const width = 1 / bins.length;
    const bars = bins.map((value, bin) => ({
      value,
      from: (bin + 0.08 + (0.84 * series) / shares.length) * width,
      to: (bin + 0.08 + (0.84 * (series + 1)) / shares.length) * width,
    }));
    return rectY(
      bars.filter(({ value }) => value > 0),
      { x1: 'from', x2: 'to', y: 'value', fill: seriesColour(series) },
    );
  });
  return chart('Histogram of the scores of each class', {
    ...frame,
    x: { ...axis, label: 'probability' },
    y: { label: 'share of the class', labelArrow: 'none', grid: true, ticks: 5, nice: true, tickFormat: share },
    marks: [...marks, ruleY([0], { strokeOpacity: 0.4 }), ruleX([threshold], { strokeDasharray: '3 3' })],
  });
}

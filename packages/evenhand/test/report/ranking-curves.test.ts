import { classificationReport } from '@evenhand/encoding';
import { seededRandom } from '@evenhand/engine';
import { describe, expect, it } from 'vitest';
import { cornersOf, cutsOf, scoreShares } from '../../src/report/ranking-curves.js';

/** Labels of two classes, and scores of the second that lean towards it; in tenths, so that many are equal. */
function scored(count: number, steps: number) {
  const random = seededRandom(count, 'scores');
  const labels = Int32Array.from({ length: count }, () => (random() < 0.2 ? 1 : 0));
  const scores = Float64Array.from(
    labels,
    (label) => Math.floor(steps * (0.7 * random() + 0.3 * label * random())) / steps,
  );
  return { labels, scores };
}

describe.each([
  [2000, 10],
  [2000, 1e9],
  [30, 5],
])('the cuts of %d scores in steps of 1/%d', (count, steps) => {
  const { labels, scores } = scored(count, steps);
  const cuts = cutsOf(labels, scores, 1);
  const { rocAuc, averagePrecision } = classificationReport(
    labels,
    [...scores].flatMap((score) => [1 - score, score]),
    { classes: ['other', 'positive'] },
  ).perClass[1] ?? { rocAuc: undefined, averagePrecision: undefined };

  it('enclose an area that is ROC AUC, also when only corners are drawn', () => {
    for (const points of [cuts, ...(cuts.length < 400 ? [cornersOf(cuts)] : [])]) {
      let area = 0;
      let before = { falsePositiveRate: 0, truePositiveRate: 0 };
      for (const cut of points) {
        const width = cut.falsePositiveRate - before.falsePositiveRate;
        area += (width * (cut.truePositiveRate + before.truePositiveRate)) / 2;
        before = cut;
      }
      expect(area).toBeCloseTo(rocAuc?.value ?? Number.NaN, 10);
    }
  });

  it('sum up to average precision', () => {
    let [sum, recall] = [0, 0];
    for (const cut of cuts) {
      sum += (cut.truePositiveRate - recall) * cut.precision;
      recall = cut.truePositiveRate;
    }
    expect(sum).toBeCloseTo(averagePrecision?.value ?? Number.NaN, 10);
  });

  it('go from the highest score to the lowest, and end where everything is answered so', () => {
    expect(cuts.map(({ score }) => score)).toEqual([...new Set(scores)].sort((a, b) => b - a));
    expect(cuts.at(-1)).toMatchObject({ truePositiveRate: 1, falsePositiveRate: 1 });
    expect(cornersOf(cuts).at(-1)).toEqual(cuts.at(-1));
    expect(cornersOf(cuts).length).toBeLessThanOrEqual(400);
  });
});

it('a histogram has shares of the class that sum to 1, with 0 and 1 in the first and last bin', () => {
  expect(scoreShares([0, 0.1, 0.25, 1], 4)).toEqual([0.5, 0.25, 0, 0.25]);
});

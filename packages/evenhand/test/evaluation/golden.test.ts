import { describe, expect, it } from 'vitest';
import { confusionMetrics } from '../../src/evaluation/confusion-metrics.js';
import { percentileEstimate, wilsonInterval } from '../../src/evaluation/estimate.js';
import { comparePaired } from '../../src/evaluation/paired-comparison.js';
import { weightedRanking } from '../../src/evaluation/resampled-ranking.js';
import { sparseConfusion } from '../../src/evaluation/sparse-confusion.js';
import { twoSidedTailOfT } from '../../src/evaluation/student-t.js';
import golden from '../golden/evaluation.json' with { type: 'json' };

const names = ['accuracy', 'balancedAccuracy', 'macroF1', 'gMean', 'minorityAccuracy', 'matthewsCorrelation'] as const;

describe(`evaluation agrees with ${golden.madeWith}`, () => {
  it.each(golden.confusion)('metrics of a confusion matrix of $classes classes', (theirs) => {
    const ours = confusionMetrics(sparseConfusion(theirs.confusion, theirs.classes), theirs.minority);
    for (const name of names) expect(ours[name], name).toBeCloseTo(theirs[name], 12);
    expect(Array.from(ours.recall)).toEqual(theirs.recall.map((recall) => recall ?? Number.NaN));
  });

  it.each(golden.ranking)('ROC-AUC and average precision of weighted instances: $rocAuc', (theirs) => {
    const ours = weightedRanking(Uint32Array.from(theirs.positive), Uint32Array.from(theirs.negative));
    expect(ours.rocAuc).toBeCloseTo(theirs.rocAuc, 12);
    expect(ours.averagePrecision).toBeCloseTo(theirs.averagePrecision, 12);
  });

  it.each(golden.percentiles)('percentiles $low and $high', ({ values, low, high }) => {
    const { interval } = percentileEstimate({ value: 0 }, values);
    expect(interval?.low).toBeCloseTo(low, 14);
    expect(interval?.high).toBeCloseTo(high, 14);
  });

  it.each(golden.tails)("tails of Student's t beyond $t with $freedom degrees of freedom", ({ t, freedom, p }) => {
    expect(Math.abs(twoSidedTailOfT(t, freedom) - p)).toBeLessThanOrEqual(1e-12 * p);
  });

  it.each(golden.paired)('paired tests, p = $tTest and $signFlipTest', (theirs) => {
    const ours = comparePaired(theirs.ours, theirs.theirs);
    expect(ours.meanDifference).toBeCloseTo(theirs.meanDifference, 14);
    expect(ours.standardDeviation.value).toBeCloseTo(theirs.standardDeviation, 14);
    expect(ours.tTest.value).toBeCloseTo(theirs.tTest, 12);
    expect(ours.signFlipTest.value).toBe(theirs.signFlipTest);
  });

  it.each(golden.wilson)('the Wilson interval of $hits in $trials', ({ hits, trials, low, high }) => {
    const ours = wilsonInterval(hits, trials);
    expect(ours.low).toBeCloseTo(low, 12);
    expect(ours.high).toBeCloseTo(high, 12);
  });
});

import { describe, expect, it } from 'vitest';
import { SEVEN_TABLES } from '../../src/seven-tables/seven-tables.js';
import { type Candidate, type Stage, TuningRanking } from '../../src/seven-tables/tuning-ranking.js';

function candidate(learningRate: number): Candidate {
  return { learningRate, epochs: 60, hidden: [128, 64], dropout: 0, weightDecay: 0.01, batchSize: 128 };
}

function linesOf(
  stage: Stage,
  learningRate: number,
  accuracies: readonly number[],
  tables: number = SEVEN_TABLES.length,
) {
  return SEVEN_TABLES.slice(0, tables).map((table) => ({
    ...{ stage, table, candidate: candidate(learningRate), balancedAccuracy: [...accuracies] },
  }));
}

describe('a ranking', () => {
  const ranking = new TuningRanking([
    ...linesOf('rates', 0.001, [0.5, 0.7]),
    ...linesOf('rates', 0.01, [0.8]),
    ...linesOf('rates', 0.1, [0.9], SEVEN_TABLES.length - 1),
    ...linesOf('finalists', 0.001, [0.9]),
  ]);

  it('has the best mean over tables first, and leaves out what is not done on all of them', () => {
    const found = ranking.of('rates').map((one) => [one.candidate.learningRate, one.mean.toFixed(3)]);
    expect(found).toEqual([
      [0.01, '0.800'],
      [0.001, '0.600'],
    ]);
    expect(ranking.best('rates')).toEqual(candidate(0.01));
  });

  it('takes all splits of the finalists together', () => {
    // (0.5 + 0.7 + 0.9)/3
    const found = ranking.finalists().map((one) => [one.candidate.learningRate, one.mean.toFixed(3)]);
    expect(found).toEqual([[0.001, '0.700']]);
  });
});

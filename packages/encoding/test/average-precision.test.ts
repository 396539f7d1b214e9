import { expect, it } from 'vitest';
import { classificationReport } from '../src/index.js';

it('the average precision of a perfect ranking is 1 to the last bit, however many instances there are', () => {
  for (let positives = 1; positives <= 120; positives++) {
    const labels = Array.from({ length: positives + 5 }, (_, i) => (i < positives ? 1 : 0));
    // Every score is another one, and those of class 1 are the higher ones.
    const scores = labels.map((label, i) => (label === 1 ? 0.6 : 0.1) + i / 1000);
    const probabilities = scores.flatMap((score) => [1 - score, score]);
    const { perClass } = classificationReport(labels, probabilities, { classes: 2 });
    expect(perClass.map(({ averagePrecision }) => averagePrecision.value)).toEqual([1, 1]);
  }
});

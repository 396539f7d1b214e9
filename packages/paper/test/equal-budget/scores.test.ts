import { expect, it } from 'vitest';
import { scoresOf } from '../../src/equal-budget/train-run.js';

it('scores are of the instances of one part', () => {
  const labels = Int32Array.from([0, 0, 0, 0, 1, 1, 1]);
  const answers = Int32Array.from([0, 0, 0, 1, 1, 0, 0]);
  const isOf = [true, true, true, true, true, true, false];
  // Three of four and one of two; four of six.
  expect(scoresOf({ labels, answers }, isOf, 2)).toEqual({ top1: 4 / 6, recall: [3 / 4, 1 / 2] });
  const others = isOf.map((own, i) => !own || i === 0);
  expect(scoresOf({ labels, answers }, others, 2)).toEqual({ top1: 1 / 2, recall: [1, 0] });
});

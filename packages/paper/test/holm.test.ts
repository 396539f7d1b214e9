import { expect, it } from 'vitest';
import { holmCorrected } from '../src/holm.js';

it("Holm's correction multiplies the smallest by the number of all, the next by one less, and never goes down", () => {
  // 0.01·4, 0.02·3, then 0.03·2 = 0.06 again, then 0.04·1, which is less than 0.06.
  const corrected = holmCorrected([0.04, 0.01, 0.03, 0.02]);
  for (const [i, expected] of [0.06, 0.04, 0.06, 0.06].entries()) expect(corrected[i]).toBeCloseTo(expected, 12);
});

it('never exceeds 1, and treats equal values alike', () => {
  expect(holmCorrected([0.5, 0.5, 0.9])).toEqual([1, 1, 1]);
  expect(holmCorrected([0.25, 0.25])).toEqual([0.5, 0.5]);
});

it('leaves alone what has no p-value, which does not count as a comparison', () => {
  expect(holmCorrected([null, 0.03, null])).toEqual([null, 0.03, null]);
  expect(holmCorrected([])).toEqual([]);
});

import { expect, it } from 'vitest';
import { at, outside } from '../src/checked-access.js';

it('gives the element, be it 0', () => {
  expect(at([5, 0], 1)).toBe(0);
  expect(at(Float64Array.of(5, 0), 1)).toBe(0);
});

it.each([-1, 2, 0.5])('takes index %s for a mistake of ours', (index) => {
  const message = `internal: there is no element ${index} in a list of 2`;
  expect(() => at([5, 7], index)).toThrow(message);
  expect(() => outside(Float32Array.of(5, 7), index)).toThrow(message);
});

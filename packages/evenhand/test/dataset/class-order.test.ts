import { expect, it } from 'vitest';
import { bySize, inClassOrder } from '../../src/dataset/class-order.js';

it.each([
  [
    ['10', '9', '-1', '2.5'],
    ['-1', '2.5', '9', '10'],
  ],
  [
    ['10', '9', 'nine'],
    ['10', '9', 'nine'],
  ],
  [
    ['b', 'B', 'a', 'é', 'z'],
    ['B', 'a', 'b', 'z', 'é'],
  ],
  [
    ['1', '01'],
    ['01', '1'],
  ],
  [
    ['2', ' ', '10'],
    [' ', '10', '2'],
  ],
])('orders %j', (names, expected) => {
  expect(inClassOrder(names)).toEqual(expected);
  expect(inClassOrder([...names].reverse())).toEqual(expected);
});

it('shows classes from most to fewest instances, and those of one size in their own order', () => {
  expect(bySize([3, 40, 0, 3, 12])).toEqual([1, 4, 0, 3, 2]);
});

import { expect, it } from 'vitest';
import { inClassOrder } from '../../src/dataset/class-order.js';

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

import { describe, expect, it } from 'vitest';
import { csvText } from '../src/parts/csv.js';

describe('a table that is saved', () => {
  it.each([
    ['plain', 'plain'],
    ['with, comma', '"with, comma"'],
    ['with "quotes"', '"with ""quotes"""'],
    ['two\nlines', '"two\nlines"'],
    ['-1.5e-3', '-1.5e-3'],
    ['+7', '+7'],
  ])('fault 33: %j stays what it is', (text, cell) => {
    expect(csvText([[text]])).toBe(`${cell}\r\n`);
  });

  it.each(['=cmd', '+cmd', '-cmd', '@cmd', '\tcmd'])('fault 33: %j is no formula', (text) => {
    expect(csvText([[text]])).toBe(`'${text}\r\n`);
  });
});

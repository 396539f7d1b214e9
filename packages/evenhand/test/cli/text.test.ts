import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTable } from '../../src/cli/terminal/table.js';
import { displayWidth, fit, printable, withoutControls } from '../../src/cli/terminal/text.js';

describe('the width of a text', () => {
  it.each([
    ['plain', 5],
    ['日本', 4],
    ['e\u0301', 1],
    ['🦆', 2],
    ['👩‍👩‍👧', 2],
    ['🇩🇪', 2],
    ['שלום', 4],
    ['', 0],
  ])('of %j is %i', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  it('is never more than asked for', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, columns) => {
        expect(displayWidth(fit(text, columns))).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

it('a name has one line and no control characters', () => {
  expect(printable('a\n b\u001b[2J\u202e\u0000c')).toBe('a b[2Jc');
});

it('styles stay where they are wanted, and nothing else that controls a terminal', () => {
  const text = '\u001b[1mbold\u001b[22m\u001b[2J\nnext';
  expect(withoutControls(text, true)).toBe('\u001b[1mbold\u001b[22m[2J\nnext');
  expect(withoutControls(text, false)).toBe('bold[2J\nnext');
});

it('a table is aligned by what is seen', () => {
  const table = formatTable(
    [{ title: 'class', align: 'left' }, { title: 'n' }],
    [
      ['日本', '1'],
      ['x'.repeat(100), '20'],
    ],
  );
  const widths = table.split('\n').map(displayWidth);
  expect(new Set(widths).size).toBe(1);
  expect(table).toContain(`${'x'.repeat(35)}…  20`);
});

it('a name of 160,000 letters takes no longer than others', () => {
  const name = 'h'.repeat(160_000);
  const begun = performance.now();
  expect(formatTable([{ title: 'column', align: 'left' }], [[name]])).toContain(`${'h'.repeat(35)}…`);
  expect(performance.now() - begun).toBeLessThan(500);
});

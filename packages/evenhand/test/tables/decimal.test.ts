import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDecimal } from '../../src/tables/decimal.js';

function parsed(text: string): number {
  const bytes = Buffer.from(`7${text}7`);
  return parseDecimal(bytes, 1, 1 + Buffer.byteLength(text));
}

const digits = (maxLength: number) => fc.stringMatching(new RegExp(`^[0-9]{0,${maxLength}}$`));

describe('parseDecimal', () => {
  it('gives what Number gives for digits, point, sign and exponent of any length', () => {
    const decimal = fc
      .tuple(
        fc.constantFrom('', '+', '-'),
        digits(25),
        fc.constantFrom('', '.'),
        digits(25),
        fc.oneof(
          fc.constant(''),
          fc.integer({ min: -400, max: 400 }).map((exponent) => `e${exponent}`),
        ),
      )
      .filter(([, integer, , fraction]) => integer !== '' || fraction !== '')
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(decimal, (text) => {
        expect(parsed(text)).toBe(Number(text));
      }),
      { numRuns: 10_000 },
    );
  });

  it('gives every double back that is written in full', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(number, (value) => {
        expect(parsed(String(value))).toBe(Number(String(value)));
      }),
      { numRuns: 10_000 },
    );
  });

  it('gives back numbers of 15 to 19 digits with up to 22 of them behind the point', () => {
    const text = fc
      .tuple(fc.bigInt({ min: 10n ** 14n, max: 10n ** 19n }), fc.integer({ min: 1, max: 22 }))
      .map(([integer, places]) => {
        const padded = String(integer).padStart(places + 1, '0');
        return `${padded.slice(0, -places)}.${padded.slice(-places)}`;
      });
    fc.assert(
      fc.property(text, (decimal) => {
        expect(parsed(decimal)).toBe(Number(decimal));
      }),
      { numRuns: 10_000 },
    );
  });

  it.each([
    // The middle of two doubles: rounds to the even one.
    '9007199254740993',
    '9007199254740995',
    '900719925474099.3',
    '4503599627370497.5',
    '0.500000000000000166533453693773481063544750213623046875',
    // Just above and below the middle.
    '9007199254740993.00000000000000000001',
    '450359962737049.75',
    '-0',
    '0.0',
    '000000000000000000000000000001.5',
    '0.00000000000000000000000000000000012345678901234567',
    '123456789012345678901234567890',
    '1e22',
    '1e23',
    '8.5e-320',
    '1.7976931348623159e308',
    '1e-400',
    '1e99999999999999999999',
    '.5',
    '5.',
    '+5',
  ])('reads %s as Number does', (text) => {
    expect(parsed(text)).toBe(Number(text));
  });

  it.each([
    '',
    '.',
    '-',
    '+',
    'e5',
    '.e5',
    '1e',
    '1e+',
    '1.2.3',
    '1-2',
    '--1',
    '0x10',
    '1_000',
    ' 1',
    '1 ',
    'Infinity',
    '12a',
  ])('refuses %j', (text) => {
    expect(parsed(text)).toBeNaN();
  });
});

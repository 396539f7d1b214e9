import type { Random } from '@evenhand/engine';
import type { Mutation } from '../reader.js';
import { BYTE_MUTATIONS, insertAt } from './bytes.js';
import { pick, stretch, upTo } from './draw.js';

/** What means something to readers of tables or JSON, or should not. */
const ODD_TEXTS: readonly (string | ((random: Random) => string))[] = [
  ...['"', '""', "'", ',', ';', '\t', '|', '\n', '\r', '\r\n', '\\', '\\"', ' ', ':', '{', '}', '[', ']', '[]', '{}'],
  ...['\0', '\ufeff', '\u2028', '\u00a0', '\\u0000', '\\ud800', '\\udc00\\ud800', '🙂', 'é', '\u202e', '\x1b[2J'],
  ...[
    'null',
    'true',
    'NaN',
    'Infinity',
    '-0',
    '1e999',
    '-1e999',
    '1e-999',
    '0.1e1',
    '1,5',
    '1.000,5',
    '0x10',
    '--1',
    '+1',
  ],
  ...[
    '9007199254740993',
    '-9223372036854775808',
    '18446744073709551616',
    '1e308',
    '4294967296',
    '2147483648',
    '1000000000',
  ],
  ...['"__proto__":{"polluted":true},', '{"__proto__":{}}', '__proto__', 'constructor', 'toString', '"length":-1,'],
  ...['2024-02-30', '0000-00-00', '+275760-09-13', '=cmd()', '../../etc/passwd', '%00', '<script>'],
  (random) => pick(['[', '{"a":', '(', '"', ',', '""'], random).repeat(10 ** (1 + upTo(5, random))),
  (random) => '9'.repeat(10 ** (1 + upTo(4, random))),
  (random) => pick(['x', 'é', ' ', '\n', ',\n'], random).repeat(10 ** (1 + upTo(5, random))),
];

function oddText(random: Random): Buffer {
  const text = pick(ODD_TEXTS, random);
  return Buffer.from(typeof text === 'string' ? text : text(random));
}

const insertOddText: Mutation = (bytes, random) => insertAt(bytes, upTo(bytes.length + 1, random), oddText(random));

/** In the place of a word or a number, or of one of the marks between them. */
const replaceToken: Mutation = (bytes, random) => {
  const tokens = [
    ...Buffer.from(bytes)
      .toString('latin1')
      .matchAll(/[\w.+-]+|[^\s\w]/g),
  ];
  if (tokens.length === 0) return oddText(random);
  const { index, 0: token } = pick(tokens, random);
  return Buffer.concat([bytes.subarray(0, index), oddText(random), bytes.subarray(index + token.length)]);
};

/** Two lines exchanged, which also moves quotes that stand for more than one line. */
const exchangeLines: Mutation = (bytes, random) => {
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  const [a, b] = [upTo(lines.length, random), upTo(lines.length, random)];
  [lines[a], lines[b]] = [lines[b] ?? '', lines[a] ?? ''];
  return Buffer.from(lines.join('\n'), 'latin1');
};

/** One of the file's own parts somewhere else. */
const move: Mutation = (bytes, random) => {
  const [begin, end] = stretch(bytes.length, random);
  const rest = Buffer.concat([bytes.subarray(0, begin), bytes.subarray(end)]);
  return insertAt(rest, upTo(rest.length + 1, random), bytes.subarray(begin, end));
};

/** For tables and JSON. */
export const TEXT_MUTATIONS: readonly Mutation[] = [
  ...Array<Mutation>(5).fill(insertOddText),
  ...Array<Mutation>(9).fill(replaceToken),
  ...[exchangeLines, move],
  ...BYTE_MUTATIONS,
];

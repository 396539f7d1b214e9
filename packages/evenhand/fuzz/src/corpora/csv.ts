import type { Files } from '../reader.js';

const ROWS = 24;

/** A table with a column of every kind, and a few cells that are missing or odd. */
function table(delimiter: string, { decimal = '.', newline = '\n' } = {}): string {
  const header = ['id', 'amount', 'kind', 'day', 'member', 'note', 'class'];
  const rows = Array.from({ length: ROWS }, (_, i) => [
    `${1000 + i}`,
    i === 5 ? 'NA' : `${(i * 7) % 13}${decimal}${i % 10}`,
    ['red', 'green', 'dark blue'][i % 3],
    `2024-0${1 + (i % 9)}-1${i % 10}`,
    i % 2 === 0 ? 'yes' : 'no',
    i % 5 === 0 ? `"said ""${i}""${delimiter}${newline}and left"` : `note ${i * 31}`,
    ['common', 'common', 'rare'][i % 3],
  ]);
  return [header, ...rows].map((cells) => cells.join(delimiter) + newline).join('');
}

/** Tables as text, with every delimiter, encoding and kind of line end. */
export async function csvCorpus(): Promise<Files> {
  const plain = table(',');
  return new Map<string, Uint8Array>([
    ['comma.csv', Buffer.from(plain)],
    ['excel.csv', Buffer.from(`\ufeff${table(';', { decimal: ',', newline: '\r\n' })}`)],
    ['tab.tsv', Buffer.from(table('\t'))],
    ['pipe.csv', Buffer.from(table('|', { newline: '\r' }).replaceAll('\r', '\r\n'))],
    ['utf-16-little-endian.csv', Buffer.from(`\ufeff${plain}`, 'utf16le')],
    ['utf-16-big-endian.csv', Buffer.from(`\ufeff${plain}`, 'utf16le').swap16()],
    ['windows-1252.csv', Buffer.from(plain.replaceAll('blue', 'bl\xfc'), 'latin1')],
    ['wide.csv', Buffer.from(wide(300))],
  ]);
}

function wide(columns: number): string {
  const row = (i: number) => Array.from({ length: columns }, (_, k) => (i * k) % 17).join(',');
  const header = Array.from({ length: columns }, (_, k) => `c${k}`).join(',');
  return [`${header},class`, ...[1, 2, 3, 4, 5, 6].map((i) => `${row(i)},${'ab'[i % 2]}`)].join('\n');
}

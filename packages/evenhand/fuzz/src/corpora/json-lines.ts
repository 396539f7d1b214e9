import { gzipSync } from 'node:zlib';
import type { Files } from '../reader.js';
import { csvCorpus } from './csv.js';

const ROWS = 24;

function lines(newline: string): string {
  return Array.from({ length: ROWS }, (_, i) => {
    const row = {
      id: 1000 + i,
      amount: i === 5 ? null : ((i * 7) % 13) + i / 10,
      kind: ['red', 'green', 'dark blue'][i % 3],
      member: i % 2 === 0,
      ...(i % 4 === 0 ? {} : { note: `said "${i}"` }),
      class: ['common', 'common', 'rare'][i % 3],
    };
    return JSON.stringify(row) + newline;
  }).join('');
}

/** A row for every line, as objects. */
export async function jsonLinesCorpus(): Promise<Files> {
  return new Map<string, Uint8Array>([
    ['rows.jsonl', Buffer.from(lines('\n'))],
    ['rows.ndjson', Buffer.from(`\ufeff${lines('\r\n')}`)],
  ]);
}

/** Tables packed by gzip, in one member or in several. */
export async function gzipCorpus(): Promise<Files> {
  const [plain = new Uint8Array()] = (await csvCorpus()).values();
  const half = Math.floor(plain.length / 2);
  return new Map<string, Uint8Array>([
    ['comma.csv.gz', gzipSync(plain)],
    ['parts.csv.gz', Buffer.concat([gzipSync(plain.subarray(0, half)), gzipSync(plain.subarray(half))])],
    ['rows.jsonl.gz', gzipSync(lines('\n'))],
  ]);
}

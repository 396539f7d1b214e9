import { isAscii } from 'node:buffer';
import { UserError } from '../user-error.js';

/** How a file's bytes spell text. `single-byte-or-utf-8` is settled text by text, as only those beyond ASCII can tell. */
export interface FileEncoding {
  readonly kind: 'utf-16le' | 'utf-16be' | 'single-byte-or-utf-8';
  /** Bytes of the byte order mark. */
  readonly mark: number;
}

/** Recognises UTF-16, with a byte order mark or without, by the first bytes of a file. Refuses what is not text. */
export function detectEncoding(file: string, head: Buffer): FileEncoding {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { kind: 'single-byte-or-utf-8', mark: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { kind: 'utf-16le', mark: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { kind: 'utf-16be', mark: 2 };
  const zero = head.indexOf(0);
  if (zero < 0) return { kind: 'single-byte-or-utf-8', mark: 0 };
  // Of mostly Latin text in UTF-16, every other byte is zero.
  const [even, odd] = zerosAtEvenAndOdd(head);
  const half = head.length / 2;
  if (odd > 0.5 * half && even === 0) return { kind: 'utf-16le', mark: 0 };
  if (even > 0.5 * half && odd === 0) return { kind: 'utf-16be', mark: 0 };
  throw new UserError(
    `${file} is not text: byte ${zero} is zero. A table in CSV, TSV, JSON lines or Parquet format is expected; export spreadsheets as CSV and unpack archives first.`,
  );
}

function zerosAtEvenAndOdd(head: Buffer): [even: number, odd: number] {
  const zeros: [number, number] = [0, 0];
  for (let at = 0; at < head.length; at++) {
    if (head[at] === 0) zeros[at % 2 === 0 ? 0 : 1]++;
  }
  return zeros;
}

/** The start of a file, possibly cut within a character, without its mark and with UTF-16 made UTF-8. */
export function headAsSingleBytes(head: Buffer, { kind, mark }: FileEncoding): Buffer {
  const text = head.subarray(mark);
  return kind === 'single-byte-or-utf-8' ? text : Buffer.from(new TextDecoder(kind).decode(text));
}

/** Makes UTF-8 of UTF-16, chunk by chunk; other encodings pass as they are. */
export async function* asSingleBytes(
  file: string,
  chunks: AsyncIterable<Buffer>,
  { kind }: FileEncoding,
): AsyncGenerator<Buffer> {
  if (kind === 'single-byte-or-utf-8') {
    yield* chunks;
    return;
  }
  const decoder = new TextDecoder(kind, { fatal: true });
  const decoded = (chunk?: Buffer): Buffer => {
    try {
      return Buffer.from(decoder.decode(chunk, { stream: chunk !== undefined }), 'utf8');
    } catch {
      throw new UserError(`${file} starts like ${kind.toUpperCase()} text, but is not: save it as UTF-8.`);
    }
  };
  for await (const chunk of chunks) yield decoded(chunk);
  yield decoded();
}

/**
 * Strings of texts that lie one behind the other, each up to one of `ends`: UTF-8 if all of them are, else Windows-1252. Both
 * give different strings for different bytes.
 */
export function decodeTexts(
  bytes: Buffer,
  ends: readonly number[] | Float64Array,
): { readonly texts: string[]; readonly windows1252: boolean } {
  const pieces = (piece: (start: number, end: number) => string) => {
    let start = 0;
    return Array.from(ends, (end) => {
      const text = piece(start, end);
      start = end;
      return text;
    });
  };
  if (isAscii(bytes.subarray(0, ends.at(-1) ?? 0))) {
    return { texts: pieces((start, end) => bytes.toString('latin1', start, end)), windows1252: false };
  }
  try {
    const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { texts: pieces((start, end) => utf8.decode(bytes.subarray(start, end))), windows1252: false };
  } catch {
    return { texts: pieces((start, end) => windows1252(bytes.toString('latin1', start, end))), windows1252: true };
  }
}

/** What Windows-1252 has at 0x80 … 0x9f, where Latin-1 has control characters. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Node 20's own decoder of that name gives Latin-1. */
function windows1252(latin1: string): string {
  return latin1.replace(/[\x80-\x9f]/g, (letter) => WINDOWS_1252.charAt(letter.charCodeAt(0) - 0x80));
}

import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, extname, join, relative, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { temporaryName } from '../../files/atomic-file.js';
import { writeError } from '../../files/file-error.js';
import { listFolder } from '../../files/walk-folder.js';
import { isTable } from '../../sources/open-source.js';
import { UserError } from '../../user-error.js';
import type { Sources } from '../interface.js';

/** Folders inside each other that are looked into, and entries that are listed. */
const DEEPEST = 2;
const MOST = 500;
/** Never data. */
const OTHERS: readonly string[] = ['node_modules', 'dist'];
const IMAGES = /\.(png|jpe?g|webp|gif|tiff?|avif|bmp)$/i;

/** Bytes of a file that is dropped on the page. */
const LARGEST = 4_000_000_000;

type Source = Sources['sources'][number];

/** Tables, and folders with images in sub-folders, below where the studio was started. Nothing else can be read by the page. */
export class DataSources {
  constructor(
    private readonly base: string,
    private readonly runsFolder: string,
  ) {}

  /** Everything there is. */
  async list(): Promise<Source[]> {
    const found: Source[] = [];
    await this.#look('', 0, found);
    const uploads = relative(this.base, this.#uploads);
    // Where runs are not below the start, what was dropped is not either.
    if (uploads.startsWith('..') && existsSync(this.#uploads)) await this.#look(uploads, DEEPEST, found);
    return found.slice(0, MOST);
  }

  /** @throws {@link UserError} if it is none of the list */
  async check(path: string): Promise<void> {
    const known = await this.list();
    if (known.some((source) => source.path === path)) return;
    throw new UserError(
      `${path} is no table or image folder below the folder where the studio was started; choose one of the list, or drop the file on the page`,
    );
  }

  /** Keeps a file that was dropped on the page. @returns its path */
  async add(name: string, content: ReadableStream<Uint8Array>): Promise<string> {
    const plain = basename(name.replaceAll('\\', '/'));
    if (!isTable(plain) || plain.startsWith('.') || plain.length > 200 || /\p{Cc}/u.test(plain)) {
      throw new UserError(
        `${plain} is no table by its name; expected .csv, .tsv, .jsonl or .parquet, or .gz behind one of the texts`,
      );
    }
    try {
      await mkdir(this.#uploads, { recursive: true });
      const path = this.#freePath(plain);
      const temporary = temporaryName(path);
      try {
        await pipeline(Readable.fromWeb(content), limited(plain), createWriteStream(temporary, { flags: 'wx' }));
        await rename(temporary, path);
      } finally {
        await rm(temporary, { force: true });
      }
      return relative(this.base, path);
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw writeError(this.#uploads, error);
    }
  }

  get #uploads(): string {
    return join(this.runsFolder, 'uploads');
  }

  #freePath(name: string): string {
    const packed = /\.gz$/i.exec(name)?.[0] ?? '';
    const inner = name.slice(0, name.length - packed.length);
    const ending = extname(inner);
    for (let i = 1; ; i++) {
      const path = join(this.#uploads, i === 1 ? name : `${basename(inner, ending)}-${i}${ending}${packed}`);
      if (!existsSync(path)) return path;
    }
  }

  async #look(path: string, depth: number, found: Source[]): Promise<void> {
    if (depth > DEEPEST || found.length >= MOST) return;
    const entries = await listFolder(this.base, path).catch(() => []);
    for (const entry of entries) {
      const name = basename(entry.path);
      if (entry.kind === 'a file' && isTable(name) && !name.endsWith('.txt') && !isOfRun(entry.path)) {
        found.push({ path: entry.path, kind: 'table' });
      }
      if (entry.kind !== 'a folder' || OTHERS.includes(name)) continue;
      if (await this.#hasImages(entry.path)) found.push({ path: entry.path, kind: 'images' });
      else if (!existsSync(resolve(this.base, entry.path, 'config.json')))
        await this.#look(entry.path, depth + 1, found);
    }
  }

  /** Whether two or more sub-folders have an image among their first files. */
  async #hasImages(path: string): Promise<boolean> {
    const inside = (await listFolder(this.base, path).catch(() => [])).filter(({ kind }) => kind === 'a folder');
    let classes = 0;
    for (const { path: folder } of inside.slice(0, 5)) {
      const files = await listFolder(this.base, folder).catch(() => []);
      if (files.slice(0, 20).some((file) => file.kind === 'a file' && IMAGES.test(file.path))) classes++;
    }
    return classes >= 2;
  }
}

/** What lies in a sweep is none's data. */
function isOfRun(path: string): boolean {
  return path.split(sep).some((name) => name === 'trials' || name === 'members') || basename(path) === 'trials.jsonl';
}

/** Passes on what comes, until it is too much. */
function limited(name: string) {
  return async function* (parts: AsyncIterable<Uint8Array>) {
    let bytes = 0;
    for await (const part of parts) {
      bytes += part.length;
      if (bytes > LARGEST) {
        throw new UserError(
          `${name} has more than ${LARGEST} bytes; put it into the folder of the studio instead of dropping it`,
        );
      }
      yield part;
    }
  };
}

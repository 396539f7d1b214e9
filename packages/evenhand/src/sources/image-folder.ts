import { constants } from 'node:buffer';
import { totalmem } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { ImageDataset } from '../dataset/dataset.js';
import { openFile } from '../files/read-file.js';
import { imageContentHash } from '../images/content-hash.js';
import {
  checkFormat,
  decodeImage,
  type ImageHeader,
  MAXIMUM_IMAGE_BYTES,
  readImageHeader,
} from '../images/decode-image.js';
import { isImage, isImageName, SIGNATURE_BYTES } from '../images/image-format.js';
import { inParallel } from '../images/in-parallel.js';
import { UserError } from '../user-error.js';
import { countByExtension, listImageFolder } from './list-images.js';
import { skippedNotes } from './skipped-notes.js';

/** How an image folder is read. */
export interface ImageFolderOptions {
  /**
   * Height and width that every image is brought to.
   *
   * @defaultValue the images' own size if it is the same for all and no side is longer than 64, else 32
   */
  readonly size?: number;
  /** 1: grey; 3: red, green and blue. @defaultValue 1 if all images are stored without colours, else 3 */
  readonly channels?: 1 | 3;
  /** Sub-folders that are no classes. */
  readonly exclude?: readonly string[];
  /** Images that cannot be read are skipped up to this share of all; above it, the folder is refused. @defaultValue 0.1 */
  readonly maximumBadShare?: number;
  /** Called after every step. A file takes two: its header is read, then its pixels. */
  readonly onProgress?: (done: number, total: number) => void;
}

const LONGEST_SIDE_KEPT = 64;
const DEFAULT_SIZE = 32;
const DEFAULT_BAD_SHARE = 0.1;
/** More bad images than this are counted, not named. */
const BAD_IMAGES_NAMED = 20;

/** A file, and what came of it: a header if it is an image, a problem if it cannot be read as one, neither if it is no image. */
interface Candidate {
  readonly file: string;
  readonly label: number;
  header?: ImageHeader;
  problem?: string;
}

/**
 * Reads a folder of images, one sub-folder per class, with the images at any depth below it: JPEG, PNG and WebP, recognised by
 * their content. Other files and links to folders are ignored, and counted in the notes.
 *
 * @throws UserError if there are no classes, a class has no images, or too many images cannot be read
 */
export async function readImageFolder(folder: string, options: ImageFolderOptions = {}): Promise<ImageDataset> {
  checkOptions(options);
  const listing = await listImageFolder(folder, options.exclude ?? []);
  const candidates: Candidate[] = listing.files.map(({ file, label }) => ({ file, label }));
  const total = 2 * candidates.length;
  await readHeaders(folder, candidates, (done) => options.onProgress?.(done, total));

  const images = candidates.filter(({ header }) => header !== undefined);
  const shape = shapeOf(images, options);
  const skippedSteps = total - images.length;
  const pixels = await decode(folder, images, shape, (done) => options.onProgress?.(skippedSteps + done, total));

  const bad = candidates.filter(({ problem }) => problem !== undefined);
  const good = images.filter(({ problem }) => problem === undefined);
  const all = good.length + bad.length;
  checkBadShare(folder, bad, all, options.maximumBadShare ?? DEFAULT_BAD_SHARE);
  checkClasses(folder, listing.classNames, good);
  const content = {
    classNames: listing.classNames,
    labels: Int32Array.from(good, ({ label }) => label),
    shape,
    pixels,
  };
  const noImages = candidates.filter(({ header, problem }) => header === undefined && problem === undefined);
  return {
    kind: 'images',
    name: basename(resolve(folder)),
    ...content,
    contentHash: imageContentHash(content),
    files: good.map(({ file }) => file),
    folder,
    notes: [
      ...sizeNote(images, shape),
      ...badNote(bad, all),
      ...ignoredNote([...listing.ignored, ...noImages.map(({ file }) => file)]),
      ...skippedNotes(listing.skipped),
    ],
  };
}

function checkOptions({ size, channels, maximumBadShare }: ImageFolderOptions): void {
  if (size !== undefined && !(Number.isInteger(size) && size >= 1 && size <= 4096)) {
    throw new UserError(`option size is ${size}; expected a whole number from 1 to 4096`);
  }
  if (channels !== undefined && channels !== 1 && channels !== 3) {
    throw new UserError(`option channels is ${channels}; expected 1 (grey) or 3 (colours)`);
  }
  if (maximumBadShare !== undefined && !(maximumBadShare >= 0 && maximumBadShare <= 1)) {
    throw new UserError(`option maximumBadShare is ${maximumBadShare}; expected a number from 0 to 1`);
  }
}

/** Gives every candidate its header or its problem. */
async function readHeaders(
  folder: string,
  candidates: readonly Candidate[],
  onProgress: (done: number) => void,
): Promise<void> {
  let done = 0;
  await inParallel(candidates, async (candidate) => {
    await orProblem(candidate, async () => {
      const header = await headerOf(folder, candidate.file);
      if (header !== undefined) candidate.header = header;
    });
    onProgress(++done);
  });
}

/** Nothing for a file that is no image and not named like one. Of such a file only the first bytes are read. */
async function headerOf(folder: string, file: string): Promise<ImageHeader | undefined> {
  const handle = await openFile(join(folder, file)).catch((error) => {
    throw new UserError(`${file}: the file cannot be opened (${error.message})`);
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SIGNATURE_BYTES), 0, SIGNATURE_BYTES, 0);
    if (!isImage(buffer) && !isImageName(file)) return undefined;
    checkFormat(buffer.subarray(0, bytesRead), file);
    const { size } = await handle.stat();
    if (size > MAXIMUM_IMAGE_BYTES) {
      throw new UserError(`${file}: the file has ${size} bytes; the limit is ${MAXIMUM_IMAGE_BYTES}`);
    }
    return await readImageHeader(await handle.readFile(), file);
  } finally {
    await handle.close();
  }
}

/** The pixels of all images that can be decoded, without gaps for the others. */
async function decode(
  folder: string,
  images: readonly Candidate[],
  shape: ImageDataset['shape'],
  onProgress: (done: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const imageBytes = shape[0] * shape[1] * shape[2];
  const pixels = allocate(images.length, imageBytes, shape);
  let done = 0;
  await inParallel(images, async (image, i) => {
    await orProblem(image, async () => {
      pixels.set(await decodeImage(join(folder, image.file), shape, image.file), i * imageBytes);
    });
    onProgress(++done);
  });
  let kept = 0;
  for (const [i, { problem }] of images.entries()) {
    if (problem !== undefined) continue;
    if (kept !== i) pixels.copyWithin(kept * imageBytes, i * imageBytes, (i + 1) * imageBytes);
    kept++;
  }
  return kept === images.length ? pixels : pixels.slice(0, kept * imageBytes);
}

/** Keeps what is wrong with an image for later; one bad image does not stop the others. */
async function orProblem(candidate: Candidate, task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    candidate.problem = error.message;
  }
}

function allocate(instances: number, imageBytes: number, shape: ImageDataset['shape']): Uint8Array<ArrayBuffer> {
  const bytes = instances * imageBytes;
  // Many systems give out more than they have, and fail when it is used.
  const available = Math.min(totalmem(), constants.MAX_LENGTH);
  if (bytes <= available) return new Uint8Array(bytes);
  throw new UserError(
    `${instances} images of ${shape.join(' × ')} take ${(bytes / 1e9).toFixed(1)} GB; here is room for ` +
      `${(available / 1e9).toFixed(1)}. Choose a smaller size (option size).`,
  );
}

function shapeOf(images: readonly Candidate[], { size, channels }: ImageFolderOptions): ImageDataset['shape'] {
  const headers = images.flatMap(({ header }) => header ?? []);
  const planes = channels ?? (headers.every(({ grey }) => grey) ? 1 : 3);
  if (size !== undefined) return [planes, size, size];
  const [first] = headers;
  const keep =
    first !== undefined &&
    Math.max(first.height, first.width) <= LONGEST_SIDE_KEPT &&
    headers.every(({ height, width }) => height === first.height && width === first.width);
  return keep ? [planes, first.height, first.width] : [planes, DEFAULT_SIZE, DEFAULT_SIZE];
}

function checkBadShare(folder: string, bad: readonly Candidate[], all: number, maximum: number): void {
  if (bad.length <= maximum * all) return;
  throw new UserError(
    `${folder}: ${bad.length} of ${all} images cannot be read, more than the share of ${maximum} that is skipped:\n` +
      `${problemsOf(bad).join('\n')}\nRepair or remove them, or raise the option maximumBadShare.`,
  );
}

function checkClasses(folder: string, classNames: readonly string[], good: readonly Candidate[]): void {
  const present = new Set(good.map(({ label }) => label));
  const empty = classNames.filter((_, label) => !present.has(label));
  if (empty.length === 0) return;
  throw new UserError(
    `${folder}: no images (JPEG, PNG, WebP) in ${empty.map((name) => JSON.stringify(name)).join(', ')}; every sub-folder is a ` +
      'class. Put images there, or remove the folder.',
  );
}

function problemsOf(bad: readonly Candidate[]): string[] {
  const named = bad.slice(0, BAD_IMAGES_NAMED).flatMap(({ problem }) => problem ?? []);
  return bad.length > named.length ? [...named, `and ${bad.length - named.length} more`] : named;
}

function sizeNote(images: readonly Candidate[], [, height, width]: ImageDataset['shape']): string[] {
  const resized = images.filter(({ header }) => header?.height !== height || header.width !== width).length;
  if (resized === 0) return [];
  return [`${resized} of ${images.length} images were scaled and cropped to ${width} × ${height} pixels (option size)`];
}

function badNote(bad: readonly Candidate[], all: number): string[] {
  return bad.length === 0
    ? []
    : [`${bad.length} of ${all} images cannot be read and were skipped: ${problemsOf(bad).join('; ')}`];
}

function ignoredNote(files: readonly string[]): string[] {
  return files.length === 0
    ? []
    : [`${countByExtension(files)} that are no JPEG, PNG or WebP images of a class were ignored`];
}

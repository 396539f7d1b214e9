import sharp from 'sharp';
import { uint8At } from '../checked-access.js';
import type { ImageDataset } from '../dataset/dataset.js';
import { readWholeFile } from '../files/read-file.js';
import { UserError } from '../user-error.js';
import { errorMessage } from '../wording/error-message.js';
import { isImage } from './image-format.js';

/** An image whose header claims more is not decoded: a file of a hundred bytes can claim gigabytes. */
const MAXIMUM_PIXELS = 100_000_000;

/** No image of so many pixels has a larger file: as many bytes as eight for each of them. */
export const MAXIMUM_IMAGE_BYTES = 8 * MAXIMUM_PIXELS;

/** What an image's header says. */
export interface ImageHeader {
  /** As it is seen: turned as its EXIF orientation says. */
  readonly height: number;
  readonly width: number;
  /** Stored without colours. */
  readonly grey: boolean;
}

/**
 * Reads what an image's header says.
 *
 * @throws UserError, naming the image, if it is no JPEG, PNG or WebP image, damaged, or claims too many pixels
 */
export async function readImageHeader(content: Uint8Array, name: string): Promise<ImageHeader> {
  checkFormat(content, name);
  // The limit is checked below, where the message can say more. Nothing is decoded here.
  const metadata = await sharp(content, { limitInputPixels: false })
    .metadata()
    .catch((error) => {
      throw undecodableError(name, error);
    });
  const { height, width } = metadata.autoOrient;
  if (height * width > MAXIMUM_PIXELS) {
    throw new UserError(`${name}: the header claims ${width} × ${height} pixels; the limit is ${MAXIMUM_PIXELS}`);
  }
  return { height, width, grey: metadata.space === 'b-w' || metadata.space === 'grey16' };
}

/**
 * Decodes a JPEG, PNG or WebP image, a file or its content, to the planes `[channels, height, width]`: turned as its EXIF
 * orientation says, laid over white where it is transparent, scaled to cover the shape and cropped in the middle.
 *
 * @param name - what messages call it; a file's path unless given
 * @throws UserError if it cannot be read
 */
export async function decodeImage(
  image: string | Uint8Array,
  shape: ImageDataset['shape'],
  name: string = typeof image === 'string' ? image : 'image',
): Promise<Uint8Array> {
  const content = typeof image === 'string' ? await readImageFile(image, name) : image;
  checkFormat(content, name);
  const interleaved = await resized(content, shape).catch((error) => {
    throw undecodableError(name, error);
  });
  return toPlanes(interleaved, shape);
}

/** @throws {@link UserError} unless it begins as an image does */
export function checkFormat(content: Uint8Array, name: string): void {
  if (content.length === 0) throw new UserError(`${name}: the file is empty`);
  if (!isImage(content)) throw new UserError(`${name}: the content is not a JPEG, PNG or WebP image`);
}

async function readImageFile(file: string, name: string): Promise<Uint8Array> {
  try {
    return await readWholeFile(file, { maximumBytes: MAXIMUM_IMAGE_BYTES });
  } catch (error) {
    // The name says which file; of the system's error only what went wrong is new.
    const reason = error instanceof UserError && error.cause !== undefined ? error.cause : error;
    throw new UserError(`${name}: the file cannot be read (${firstLine(reason)})`, { cause: error });
  }
}

function resized(content: Uint8Array, [channels, height, width]: ImageDataset['shape']): Promise<Uint8Array> {
  return sharp(content, { limitInputPixels: MAXIMUM_PIXELS, autoOrient: true })
    .flatten({ background: 'white' })
    .resize({ height, width, fit: 'cover', position: 'centre' })
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .raw({ depth: 'uchar' })
    .toBuffer();
}

/** From RGBRGB… to RR…GG…BB…. */
export function toPlanes(interleaved: Uint8Array, [channels, height, width]: ImageDataset['shape']): Uint8Array {
  const plane = height * width;
  if (interleaved.length !== channels * plane) {
    throw new Error(`internal: ${interleaved.length} bytes for ${channels} planes of ${height} × ${width}`);
  }
  const planes = new Uint8Array(interleaved.length);
  let from = 0;
  for (let pixel = 0; pixel < plane; pixel++) {
    for (let channel = 0; channel < channels; channel++) planes[channel * plane + pixel] = uint8At(interleaved, from++);
  }
  return planes;
}

function undecodableError(name: string, error: unknown): UserError {
  return new UserError(`${name}: the image cannot be decoded (${firstLine(error)})`);
}

/** sharp adds the lines of the libraries below it. */
function firstLine(error: unknown): string {
  const [line = ''] = errorMessage(error).split('\n');
  return line.replace(/:$/, '');
}

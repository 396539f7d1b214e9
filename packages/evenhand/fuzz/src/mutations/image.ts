import type { Random } from '@evenhand/engine';
import type { Mutation } from '../reader.js';
import { BYTE_MUTATIONS } from './bytes.js';
import { pick } from './draw.js';

const SIDES = [0, 1, 3, 255, 1500, 9999, 10_000, 16_383, 31_622, 65_535];

/** A header that claims another height and width. */
const claimSize: Mutation = (bytes, random) => {
  const image = Buffer.from(bytes);
  try {
    if (image[0] === 0x89) writeSides(image, 16, 4, random);
    else if (image[0] === 0xff) writeSides(image, startOfFrame(image) + 5, 2, random);
    else image.writeUInt32LE((pick(SIDES, random) & 0x3fff) + (pick(SIDES, random) & 0x3fff) * 2 ** 14, 21);
  } catch {
    return pick(BYTE_MUTATIONS, random)(bytes, random); // nothing is left of the header
  }
  return image;
};

function writeSides(image: Buffer, offset: number, bytes: number, random: Random): void {
  image.writeUIntBE(pick(SIDES, random), offset, bytes);
  image.writeUIntBE(pick(SIDES, random), offset + bytes, bytes);
}

/** Of a JPEG file: the marker before its size. */
function startOfFrame(image: Buffer): number {
  let place = 2;
  while (![0xc0, 0xc1, 0xc2].includes(image.readUInt8(place + 1))) place += 2 + image.readUInt16BE(place + 2);
  return place;
}

/** For JPEG, PNG and WebP. */
export const IMAGE_MUTATIONS: readonly Mutation[] = [claimSize, claimSize, claimSize, ...BYTE_MUTATIONS];

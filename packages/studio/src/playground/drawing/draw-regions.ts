import { GRID } from '../training/protocol.js';
import type { Colours } from './class-colours.js';

/** Pixels on each side of the picture that is scaled to its place. */
const SIZE = 224;
/** How opaque a region is where the network is undecided, where it is sure, and on the border, of 255. */
const [PALE, FULL, BORDER] = [40, 128, 200];

/**
 * Draws which class a network would say at every place: in its colour, the fuller the surer, with a line where the answer changes.
 *
 * @param probabilities - `[GRID, GRID, classes]`, rows from the bottom
 * @param classes - which classes these are
 */
export function regionPicture(
  probabilities: Float32Array,
  classes: readonly number[],
  { classes: colours, border }: Colours,
): ImageData {
  const picture = new ImageData(SIZE, SIZE);
  const { data } = picture;
  const answers = new Uint8Array(SIZE * SIZE);
  const row = new Float32Array(GRID * classes.length);
  for (let y = 0; y < SIZE; y++) {
    rowBetween(probabilities, 1 - (y + 0.5) / SIZE, row);
    for (let x = 0; x < SIZE; x++) {
      const [column, share] = between((x + 0.5) / SIZE);
      let [best, most] = [0, -1];
      for (let c = 0; c < classes.length; c++) {
        const left = row[column * classes.length + c] ?? 0;
        const right = row[(column + 1) * classes.length + c] ?? 0;
        const probability = left + share * (right - left);
        if (probability > most) [best, most] = [c, probability];
      }
      const pixel = y * SIZE + x;
      answers[pixel] = best;
      const isBorder = (x > 0 && answers[pixel - 1] !== best) || (y > 0 && answers[pixel - SIZE] !== best);
      const certainty = (most - 1 / classes.length) / (1 - 1 / classes.length);
      const [red, green, blue] = isBorder ? border : (colours[classes[best] ?? 0] ?? border);
      data[4 * pixel] = red;
      data[4 * pixel + 1] = green;
      data[4 * pixel + 2] = blue;
      data[4 * pixel + 3] = isBorder ? BORDER : PALE + (FULL - PALE) * certainty;
    }
  }
  return picture;
}

/** The point of the grid before a share of the square's side, and how far it is from there to the next one. */
function between(share: number): readonly [before: number, share: number] {
  const position = Math.min(GRID - 1.001, Math.max(0, share * GRID - 0.5));
  const before = Math.floor(position);
  return [before, position - before];
}

/** Probabilities at a height of the square, between two rows of the grid. */
function rowBetween(probabilities: Float32Array, height: number, into: Float32Array): void {
  const [before, share] = between(height);
  for (let i = 0; i < into.length; i++) {
    const below = probabilities[before * into.length + i] ?? 0;
    const above = probabilities[(before + 1) * into.length + i] ?? 0;
    into[i] = below + share * (above - below);
  }
}

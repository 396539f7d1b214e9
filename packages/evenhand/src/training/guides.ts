import type { Mixing } from '../methods/method.js';
import { drawPartners } from './mixing.js';

const BALANCED: Mixing = { partners: 'balanced', share: () => 1 };

/**
 * The instances of a step, and behind those of each network as many guides, of classes that are drawn first, all equally often.
 *
 * @param batch - `[networks, batch]`
 * @param rowsByClass - of each network, the rows of every class that it has
 * @returns `[networks, 2·batch]`
 */
export function withGuides(
  batch: Int32Array,
  rowsByClass: Parameters<typeof drawPartners>[1],
  position: Parameters<typeof drawPartners>[3],
): Int32Array {
  const { partners } = drawPartners(batch, rowsByClass, BALANCED, position);
  const size = batch.length / rowsByClass.length;
  const guided = new Int32Array(2 * batch.length);
  for (let from = 0; from < batch.length; from += size) {
    guided.set(batch.subarray(from, from + size), 2 * from);
    guided.set(partners.subarray(from, from + size), 2 * from + size);
  }
  return guided;
}

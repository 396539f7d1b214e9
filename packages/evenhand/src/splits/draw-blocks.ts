import { type Random, shuffled } from '@evenhand/engine';
import { at, int32At } from '../checked-access.js';
import { countByClass } from '../dataset/instances.js';
import { type Blocks, blockSize, blocksOf, type Pool } from './blocks.js';
import { Draw } from './draw.js';

/**
 * Draws whole blocks so that each class comes as near to its target as they allow. Where every instance is a block of its
 * own, the targets are met.
 *
 * First sweep, in random order: a block is taken if none of its classes then exceeds its target. Second sweep, over what is
 * left, small blocks first: a block is taken if it brings the counts nearer to the targets, or brings a class that is still
 * absent; but never more than half of a class, unless the target is more.
 *
 * @param targets - how many instances of each class to draw
 * @param random - random numbers of each class's own
 * @returns the instances drawn, ascending
 */
export function drawBlocks(pool: Pool, targets: readonly number[], random: (p: number) => Random): Int32Array {
  const available = countByClass(pool.dataset, pool.instances);
  const blocks = blocksOf(pool);
  const draw = new Draw(blocks, pool.dataset.labels, targets, available);
  const left: number[] = [];
  const fromRarest = fromRarestClass(available);
  const own = blocksByRarestClass(blocks, pool.dataset.labels, fromRarest);
  for (const p of fromRarest) {
    for (const block of shuffled(at(own, p), random(p))) {
      draw.consider(block);
      if (draw.staysWithinTargets()) draw.take();
      else left.push(block);
    }
  }
  if (draw.isShort()) {
    for (const block of left.sort((one, other) => blockSize(blocks, one) - blockSize(blocks, other))) {
      draw.consider(block);
      if (draw.staysWithinLimits() && (draw.bringsAbsentClass() || draw.comesNearer())) draw.take();
    }
  }
  return Int32Array.from(draw.instances).sort();
}

/** The classes, the rarest first, which chooses first; of two equal ones the later. */
export function fromRarestClass(available: readonly number[]): number[] {
  return [...available.keys()].sort((p, q) => at(available, p) - at(available, q) || q - p);
}

/** For every class the blocks in which it is the rarest. */
export function blocksByRarestClass(
  { instances, starts }: Blocks,
  labels: Int32Array,
  fromRarest: readonly number[],
): number[][] {
  const rank = new Int32Array(fromRarest.length);
  for (const [index, p] of fromRarest.entries()) rank[p] = index;
  const own: number[][] = fromRarest.map(() => []);
  for (let block = 0; block + 1 < starts.length; block++) {
    let rarest = fromRarest.length;
    const end = int32At(starts, block + 1);
    for (let i = int32At(starts, block); i < end; i++) {
      rarest = Math.min(rarest, int32At(rank, int32At(labels, int32At(instances, i))));
    }
    at(own, at(fromRarest, rarest)).push(block);
  }
  return own;
}

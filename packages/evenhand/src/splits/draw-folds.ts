import { seededRandom, shuffled } from '@evenhand/engine';
import { at, int32At } from '../checked-access.js';
import { countByClass } from '../dataset/instances.js';
import { UserError } from '../user-error.js';
import { blockSize, blocksOf, type Pool } from './blocks.js';
import { blocksByRarestClass, fromRarestClass } from './draw-blocks.js';

/**
 * Divides a pool into folds, block by block: the largest blocks first; of equal ones those of the rarest class first, those of a class
 * in random order. A block goes to the fold that has the smallest share of its classes so far; of equal ones the fold with the fewest
 * instances, then the first.
 *
 * @returns the fold of every instance of the pool, in its order
 * @throws UserError where fewer blocks than folds can be dealt out
 */
export function drawFolds(pool: Pool, folds: number, seed: number): Int32Array {
  const { labels, classNames } = pool.dataset;
  const available = countByClass(pool.dataset, pool.instances);
  const blocks = blocksOf(pool);
  const separable = blocks.starts.length - 1;
  if (folds > separable) {
    const apart = separable < pool.instances.length ? ' that may be separated' : '';
    throw new UserError(
      `folds is ${folds}, but ${pool.dataset.name} has ${separable} training instances${apart}; expected at most as many folds`,
      { options: ['folds'] },
    );
  }
  const fromRarest = fromRarestClass(available);
  const byRarest = blocksByRarestClass(blocks, labels, fromRarest);
  const order = fromRarest
    .flatMap((p) => [...shuffled(at(byRarest, p), seededRandom(seed, `folds/${at(classNames, p)}`))])
    .sort((one, other) => blockSize(blocks, other) - blockSize(blocks, one));
  const counts = Array.from({ length: folds }, () => new Int32Array(available.length));
  const sizes = new Int32Array(folds);
  const foldOf = new Int32Array(labels.length);
  for (const block of order) {
    const members = blocks.instances.subarray(int32At(blocks.starts, block), int32At(blocks.starts, block + 1));
    const classes = Array.from(members, (instance) => int32At(labels, instance));
    const shares = counts.map((own) => classes.reduce((sum, p) => sum + int32At(own, p) / at(available, p), 0));
    const fold = emptiest(shares, sizes);
    const own = at(counts, fold);
    for (const p of classes) own[p] = int32At(own, p) + 1;
    sizes[fold] = int32At(sizes, fold) + members.length;
    for (const instance of members) foldOf[instance] = fold;
  }
  return pool.instances.map((instance) => int32At(foldOf, instance));
}

function emptiest(shares: readonly number[], sizes: Int32Array): number {
  let best = 0;
  for (let fold = 1; fold < shares.length; fold++) {
    const difference = at(shares, fold) - at(shares, best) || int32At(sizes, fold) - int32At(sizes, best);
    if (difference < 0) best = fold;
  }
  return best;
}

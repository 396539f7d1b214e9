import { seededRandom, shuffled } from '@evenhand/engine';
import { at } from '../../checked-access.js';
import type { Dataset } from '../../dataset/dataset.js';
import { instancesByClass } from '../../dataset/instances.js';
import { UserError } from '../../user-error.js';
import { type ImbalanceProfile, keptCounts } from './imbalance-profile.js';
import { legacySelection } from './legacy-selection.js';

/** CIFAR-10's training images per class, and the seed of everybody's selection from them. */
const CIFAR10_CLASSES = 10;
const CIFAR10_PER_CLASS = 5000;
const CIFAR10_SELECTION_SEED = 0;

/**
 * Of these instances, those that a profile keeps, in ascending order. Each class has random numbers of its
 * own, so that what is kept of one depends on no other. For `cifar10-lt` the seed decides nothing.
 */
export function selectImbalanced(
  dataset: Dataset,
  instances: Int32Array,
  profile: ImbalanceProfile,
  seed: number,
): Int32Array {
  const byClass = instancesByClass(dataset, instances);
  const sizes = byClass.map((own) => own.length);
  if (profile.kind === 'cifar10-lt') checkCifar10(dataset, sizes);
  const counts = keptCounts(profile, sizes);
  checkKept(dataset, profile, sizes, counts);

  const kept =
    profile.kind === 'cifar10-lt'
      ? legacySelection(sizes, counts, CIFAR10_SELECTION_SEED).map((ranks, p) =>
          ranks.map((rank) => at(at(byClass, p), rank)),
        )
      : byClass.map((own, p) =>
          shuffled(own, seededRandom(seed, `imbalance/${dataset.classNames[p]}`)).subarray(0, counts[p]),
        );
  return Int32Array.from(kept.flatMap((own) => Array.from(own))).sort();
}

function checkCifar10(dataset: Dataset, sizes: readonly number[]): void {
  if (sizes.length === CIFAR10_CLASSES && sizes.every((size) => size === CIFAR10_PER_CLASS)) return;
  throw new UserError(
    `imbalance "cifar10-lt" selects from CIFAR-10's own training set: ${CIFAR10_CLASSES} classes of ${CIFAR10_PER_CLASS} images. ` +
      `${dataset.name} has ${sizes.length} classes of ${sizes.join(', ')} instances to train with. ` +
      'For other data take "exponential" with factor 100; for CIFAR-10 leave out testShare and testPerClass.',
  );
}

/** One instance trains and one validates. */
function checkKept(
  dataset: Dataset,
  profile: ImbalanceProfile,
  sizes: readonly number[],
  counts: readonly number[],
): void {
  const poorest = counts.findIndex((count) => count < 2);
  if (poorest === -1) return;
  throw new UserError(
    `imbalance "${profile.kind}" keeps ${counts[poorest]} of the ${sizes[poorest]} instances of class "${dataset.classNames[poorest]}" in ${dataset.name}; ` +
      'expected at least 2, one to train and one to validate. Choose a milder profile, or data with more instances.',
  );
}

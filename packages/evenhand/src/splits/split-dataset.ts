import { seededRandom } from '@evenhand/engine';
import type { Dataset } from '../dataset/dataset.js';
import { allInstances, countByClass, without } from '../dataset/instances.js';
import { UserError } from '../user-error.js';
import { count } from '../wording/numbers.js';
import { blocksOf, type Pool } from './blocks.js';
import { testTargetsByShare, testTargetsPerClass, validationTargets } from './class-targets.js';
import { drawBlocks } from './draw-blocks.js';
import { drawFolds } from './draw-folds.js';
import { firstOfGroup, groupColumn, joinBlocks, missingValues } from './groups.js';
import { firstIdentical } from './identical-instances.js';
import { selectImbalanced } from './imbalance/select-imbalanced.js';
import { treatRareClasses } from './rare-classes.js';
import { absenceNotes, duplicateNotes, outcomeNotes } from './split-notes.js';
import {
  checkSplitOptions,
  DEFAULT_TEST_SHARE,
  DEFAULT_VALIDATION_PER_CLASS,
  type SplitOptions,
} from './split-options.js';

/** Parts of a data set: indices of its instances, ascending. */
export interface Split {
  /** What the network learns from. */
  readonly training: Int32Array;
  /** What the method watches during training: a few instances of every class, taken from the training part. May be empty. */
  readonly validation: Int32Array;
  /** May be empty where there are folds. */
  readonly test: Int32Array;
  /** The fold of each training instance, in their order, where there are folds. The validation set is empty then. */
  readonly folds?: Int32Array;
  /** What a person should be told: duplicates, classes that are short or absent somewhere. */
  readonly notes: readonly string[];
}

/**
 * Splits a data set into training, validation and test, every class for itself: first the test set; then, for an experiment,
 * the imbalance profile on what is left; then the validation set. What is left trains. With folds, no validation set is set aside.
 *
 * Seed, options and data set decide all of it. Every class has random numbers of its own: more instances of one class move
 * no instance of another, but for one by which the rounding of `testShare` may differ.
 *
 * Where the test set is drawn, a class with fewer than three instances is not in it; one with a single instance only trains.
 *
 * @throws UserError where fewer than two classes have three instances; {@link treatRareClasses} deals with those
 *
 * @example
 * ```ts
 * const { training, validation, test } = splitDataset(dataset, { seed: 1, validationPerClass: 10 });
 * ```
 */
export function splitDataset(dataset: Dataset, options: SplitOptions): Split {
  checkSplitOptions(options);
  treatRareClasses(dataset, 'keep'); // throws what cannot be split
  const notes: string[] = [];
  const blockOf = keptTogether(dataset, options, notes);
  const all = allInstances(dataset);
  const test = testSet({ dataset, instances: all, blockOf }, options, notes);
  const rest = without(all, test);
  const kept =
    options.imbalance === undefined ? rest : selectImbalanced(dataset, rest, options.imbalance, options.seed);
  const pool = { dataset, instances: kept, blockOf };
  if (options.folds !== undefined) {
    if (test.length === 0 && options.testShare !== 0) throw inseparable(dataset, options);
    const folds = drawFolds(pool, foldsFor(pool, options.folds, notes), options.seed);
    return { training: kept, validation: new Int32Array(), test, folds, notes };
  }
  const { heldOut = true } = options;
  const validation = heldOut ? validationSet(pool, options, notes) : new Int32Array();
  if (test.length === 0 || (heldOut && validation.length === 0)) throw inseparable(dataset, options);
  return { training: without(kept, validation), validation, test, notes };
}

/** Up to so many folds become fewer where there are not as many rows to deal out: nobody has asked for just this number. */
const REDUCIBLE_FOLDS = 8;

/** Probabilities, rows times classes times folds, above which there are fewer folds: an epoch computes all of them, several times over. */
const MOST_PROBABILITIES = 4e7;
const FEWEST_FOLDS = 3;

function foldsFor(pool: Pool, asked: number, notes: string[]): number {
  const separable = blocksOf(pool).starts.length - 1;
  if (asked > REDUCIBLE_FOLDS || separable < 2) return asked;
  const outputs = pool.instances.length * pool.dataset.classNames.length;
  const affordable = Math.max(FEWEST_FOLDS, Math.floor(MOST_PROBABILITIES / outputs));
  const folds = Math.min(asked, affordable, separable);
  if (folds === asked) return asked;
  const reason =
    folds === separable
      ? 'the training rows cannot be separated further'
      : `${count(pool.instances.length)} rows of ${count(pool.dataset.classNames.length)} classes would take long`;
  notes.push(`There are ${folds} folds instead of ${asked}: ${reason}.`);
  return folds;
}

/**
 * The block of every instance: what duplicates and groups keep together.
 *
 * @param notes - gets what a person should be told about them
 */
export function keptTogether(
  dataset: Dataset,
  { group, duplicatesTogether = true }: Pick<SplitOptions, 'group' | 'duplicatesTogether'>,
  notes: string[] = [],
): Int32Array {
  const identical = duplicatesTogether ? firstIdentical(dataset) : allInstances(dataset);
  notes.push(...duplicateNotes(dataset, identical));
  if (group === undefined) return identical;
  const column = groupColumn(dataset, group);
  const missing = missingValues(column);
  if (missing > 0) {
    notes.push(`Rows without a value in the grouping column "${group}": ${missing}. Each is a group of its own.`);
  }
  return joinBlocks(identical, firstOfGroup(column));
}

function testSet(pool: Pool, options: SplitOptions, notes: string[]): Int32Array {
  const { dataset } = pool;
  const { testPerClass: perClass, testShare = DEFAULT_TEST_SHARE } = options;
  if (testShare === 0) return new Int32Array();
  if (dataset.officialTest !== undefined) {
    if (perClass === undefined && options.testShare === undefined) {
      return officialTest(pool, dataset.officialTest, options, notes);
    }
    notes.push("The test set is drawn from all instances; the source's own test set is not used.");
  }
  const available = countByClass(dataset, pool.instances);
  const targets =
    perClass === undefined ? testTargetsByShare(available, testShare) : testTargetsPerClass(available, perClass);
  const instances = drawBlocks(pool, targets, (p) => seededRandom(options.seed, `test/${dataset.classNames[p]}`));
  notes.push(...outcomeNotes(dataset, { part: 'test', perClass, targets, counts: countByClass(dataset, instances) }));
  return instances;
}

/** The source's own test set, as it is: results must compare with those of others. */
function officialTest(
  { dataset, blockOf }: Pool,
  instances: Int32Array,
  { group }: SplitOptions,
  notes: string[],
): Int32Array {
  const blocksInside = new Set(Array.from(instances, (instance) => blockOf[instance]));
  const shared = blockOf.reduce((sum, block) => sum + (blocksInside.has(block) ? 1 : 0), 0) - instances.length;
  if (shared > 0 && group !== undefined) {
    throw new UserError(
      `group is "${group}", but it crosses ${dataset.name}'s own test set: instances outside that belong together with one in it: ${shared}. ` +
        'Give testShare, for a test set that is drawn by groups.',
      { options: ['data.testShare', 'data.group'] },
    );
  }
  if (shared > 0) {
    notes.push(
      `Instances that are identical to one in the source's own test set: ${shared}. That test set stays as it is.`,
    );
  }
  notes.push(...absenceNotes(dataset, 'test', countByClass(dataset, instances)));
  return Int32Array.from(instances).sort();
}

function validationSet(pool: Pool, options: SplitOptions, notes: string[]): Int32Array {
  const { dataset } = pool;
  const perClass = options.validationPerClass ?? DEFAULT_VALIDATION_PER_CLASS;
  const targets = validationTargets(countByClass(dataset, pool.instances), perClass);
  const draw = options.validationDraw ?? 0;
  const part = draw === 0 ? 'validation' : `validation ${draw}`;
  const instances = drawBlocks(pool, targets, (p) => seededRandom(options.seed, `${part}/${dataset.classNames[p]}`));
  notes.push(
    ...outcomeNotes(dataset, { part: 'validation', perClass, targets, counts: countByClass(dataset, instances) }),
  );
  return instances;
}

function inseparable(dataset: Dataset, { group }: SplitOptions): UserError {
  const cause = group === undefined ? 'identical instances' : `identical instances and groups by "${group}"`;
  return new UserError(
    `${dataset.name} cannot be split: ${cause} keep so many together that nothing is left for a test or validation set. ` +
      `Separate identical instances (duplicatesTogether false)${group === undefined ? '' : ', or choose another group'}.`,
  );
}

import { at } from '../checked-access.js';
import type { Dataset } from '../dataset/dataset.js';
import { allInstances, countByClass, without } from '../dataset/instances.js';
import { UserError } from '../user-error.js';
import { classesWhere, classList } from './class-list.js';
import { relabelled } from './relabelled.js';

/** What to do with classes that have too few instances to split. */
export type RareClassRule = 'keep' | 'refuse' | 'merge' | 'drop';

/** One each for training, validation and test. */
const LEAST = 3;
/** One each for training and validation, where the source has a test set of its own. */
const LEAST_OUTSIDE_TEST = 2;
/** What merged classes are called, with a number behind it if a class has this name already. */
const MERGED_NAME = 'other';

/**
 * Deals with classes that cannot be split, those with fewer than three instances in all or, beside a test set of the
 * source's own, fewer than two.
 *
 * @param rule - `keep` trains with them and tests the others; `refuse` throws, `merge` makes one class of them, `drop` leaves
 * their instances out
 * @returns a data set that can be split; the same one if it has no such class
 * @throws UserError for rare classes that the rule does not cure, where only one class is left, and where fewer than two
 * could be tested
 */
export function treatRareClasses(dataset: Dataset, rule: RareClassRule): Dataset {
  const rare = rareClasses(dataset);
  if (rare.length === 0) return requireTwoClasses(dataset);
  switch (rule) {
    case 'keep':
      return keep(dataset, rare);
    case 'refuse':
      throw refused(dataset, rare);
    case 'merge':
      return merge(dataset, rare);
    case 'drop':
      return drop(dataset, rare);
  }
}

function rareClasses(dataset: Dataset): number[] {
  const outside = countOutsideTest(dataset);
  return classesWhere(classCounts(dataset), (count, p) => count < LEAST || at(outside, p) < LEAST_OUTSIDE_TEST);
}

/** A test that asks for one class only says nothing, and a class that is nowhere to be learned from is no class. */
function keep(dataset: Dataset, rare: readonly number[]): Dataset {
  const trainable = countOutsideTest(dataset);
  const tested = dataset.classNames.length - rare.length;
  if (tested < 2 || rare.some((p) => trainable[p] === 0)) throw refused(dataset, rare);
  const note =
    `Classes with too few instances to be tested: ${listed(dataset, rare)}. They are learned, but no result says how well; ` +
    'merge or drop them by the option rareClasses.';
  return { ...dataset, notes: [...dataset.notes, note] };
}

function refused(dataset: Dataset, rare: readonly number[]): UserError {
  requireTwoClasses(dataset); // that there is one class only is the graver fault
  return tooRare(dataset, rare, 'Merge them into one class or drop them (rareClasses "merge" or "drop"), or add data.');
}

function merge(dataset: Dataset, rare: readonly number[]): Dataset {
  const name = freeName(dataset.classNames.filter((_, p) => !rare.includes(p)));
  const names = dataset.classNames.map((own, p) => (rare.includes(p) ? name : own));
  const note = `Classes with too few instances to split are merged into "${name}": ${listed(dataset, rare)}.`;
  const merged = relabelled(dataset, names, note);
  const stillRare = rareClasses(merged);
  if (stillRare.length === 0) return requireTwoClasses(merged);
  throw tooRare(merged, stillRare, 'That is after merging; drop them instead (rareClasses "drop"), or add data.');
}

function drop(dataset: Dataset, rare: readonly number[]): Dataset {
  const names = dataset.classNames.map((own, p) => (rare.includes(p) ? null : own));
  const note = `Instances of classes with too few of them to split are left out: ${listed(dataset, rare)}.`;
  return requireTwoClasses(relabelled(dataset, names, note));
}

function freeName(taken: readonly string[]): string {
  let name = MERGED_NAME;
  for (let i = 2; taken.includes(name); i++) name = `${MERGED_NAME} ${i}`;
  return name;
}

function requireTwoClasses(dataset: Dataset): Dataset {
  const present = classesWhere(classCounts(dataset), (count) => count > 0);
  if (present.length > 1) return dataset;
  const found = present.length === 0 ? 'no class at all' : `only one class, ${classList(dataset, present)}`;
  throw new UserError(`${dataset.name} has ${found}; expected at least two, or there is nothing to learn.`);
}

function tooRare(dataset: Dataset, rare: readonly number[], advice: string): UserError {
  return new UserError(
    `${dataset.name} has classes with too few instances to split: ${listed(dataset, rare)}. ` +
      `Expected at least ${LEAST} of each, to train, validate and test` +
      `${dataset.officialTest === undefined ? '' : `, ${LEAST_OUTSIDE_TEST} of them outside its test set`}. ${advice}`,
    { options: ['data.rareClasses'] },
  );
}

function listed(dataset: Dataset, classes: readonly number[]): string {
  return classList(dataset, classes, classCounts(dataset));
}

function countOutsideTest(dataset: Dataset): number[] {
  return countByClass(dataset, without(allInstances(dataset), dataset.officialTest ?? new Int32Array()));
}

function classCounts(dataset: Dataset): number[] {
  return countByClass(dataset, allInstances(dataset));
}

import type { Dataset } from '../dataset/dataset.js';
import { classesWhere, classList } from './class-list.js';

/** What identical instances mean for a split. */
export function duplicateNotes({ labels }: Dataset, firstIdentical: Int32Array): string[] {
  let repeated = 0;
  const contradictory = new Set<number>();
  for (const [instance, first] of firstIdentical.entries()) {
    if (first === instance) continue;
    repeated++;
    if (labels[first] !== labels[instance]) contradictory.add(first);
  }
  const notes: string[] = [];
  if (repeated > 0) {
    const rule = 'Identical ones stay in one part (option duplicatesTogether)';
    notes.push(`Instances that repeat the features of an earlier one: ${repeated}. ${rule}.`);
  }
  if (contradictory.size > 0) {
    notes.push(`Sets of identical instances that belong to more than one class: ${contradictory.size}.`);
  }
  return notes;
}

/** A part of a split as it was wanted and as it became; numbers are instances of each class. */
export interface Outcome {
  readonly part: 'test' | 'validation';
  /** The number that was asked for of every class, where there is one. */
  readonly perClass: number | undefined;
  readonly targets: readonly number[];
  readonly counts: readonly number[];
}

/** Classes that a part lacks or has less of, and what keeping blocks together did to its size. */
export function outcomeNotes(dataset: Dataset, { part, perClass, targets, counts }: Outcome): string[] {
  const notes: string[] = [];
  const short =
    perClass === undefined ? [] : classesWhere(targets, (target, p) => target < perClass && counts[p] !== 0);
  if (short.length > 0) {
    const reason =
      part === 'test' ? 'two are left for training and validation' : 'at least half of a class is left for training';
    notes.push(
      `The ${part} set has fewer than ${perClass} instances of ${classList(dataset, short, targets)}: ${reason}.`,
    );
  }
  const [wanted, got] = [total(targets), total(counts)];
  if (wanted !== got) {
    notes.push(`The ${part} set has ${got} instances instead of ${wanted}: duplicates and groups stay together.`);
  }
  return [...notes, ...absenceNotes(dataset, part, counts)];
}

/** Classes that a part has no instance of: nothing can be measured for them there. */
export function absenceNotes(dataset: Dataset, part: Outcome['part'], counts: readonly number[]): string[] {
  const absent = classesWhere(counts, (count) => count === 0);
  return absent.length === 0 ? [] : [`The ${part} set has no instance of ${classList(dataset, absent)}.`];
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

import { at } from '../checked-access.js';

/** Class names in their order: numbers ascending where all of them are numbers, else by code unit. */
export function inClassOrder(names: readonly string[]): string[] {
  const byCodeUnit = [...names].sort();
  const allNumbers = names.every((name) => name.trim() !== '' && Number.isFinite(Number(name)));
  return allNumbers ? byCodeUnit.sort((a, b) => Number(a) - Number(b)) : byCodeUnit;
}

/**
 * The classes by index, from most to fewest instances: the order in which people are shown them.
 *
 * @param counts - instances of each class
 */
export function bySize(counts: readonly number[]): number[] {
  return Array.from(counts.keys()).sort((a, b) => at(counts, b) - at(counts, a) || a - b);
}

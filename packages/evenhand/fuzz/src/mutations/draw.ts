import type { Random } from '@evenhand/engine';

/** An integer from 0 to below a limit. */
export function upTo(limit: number, random: Random): number {
  return Math.floor(random() * limit);
}

/** One of several, each as likely. */
export function pick<Item>(items: readonly Item[], random: Random): Item {
  const item = items[upTo(items.length, random)];
  if (item === undefined) throw new Error('internal: there is nothing to pick from');
  return item;
}

/** A stretch of something, short ones most often: from its beginning to behind its end. */
export function stretch(length: number, random: Random): readonly [begin: number, end: number] {
  const begin = upTo(length + 1, random);
  return [begin, Math.min(length, begin + Math.floor((length - begin + 1) * random() ** 4))];
}

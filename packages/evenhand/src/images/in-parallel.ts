import { availableParallelism } from 'node:os';

/**
 * Runs a task for every item, a few at a time: enough for each core to have work while others wait for the disk, and few
 * enough for memory. Starts no more once one has failed.
 */
export async function inParallel<Item>(
  items: readonly Item[],
  task: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const remaining = items.entries();
  let failed = false;
  const lane = async (): Promise<void> => {
    for (const [index, item] of remaining) {
      if (failed) return;
      await task(item, index).catch((error) => {
        failed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: 2 * availableParallelism() }, lane));
}

import { DivergedError, openRun, type TestPredictions, train } from 'evenhand';
import type { Config } from 'evenhand/config';
import { readMnist } from 'evenhand/data';
import { at } from '../checked-access.js';
import type { WithRunFolder } from '../runner/run-line-jobs.js';
import { reserveImages } from './reserved-images.js';
import type { BudgetOutcome, PartScores } from './run-lines.js';

/** A run to be trained. */
export interface BudgetOrder {
  readonly config: Config;
}

/** Trains a run and measures it on the reserved images and on MNIST's test images. */
export async function trainRun({ config, folder }: WithRunFolder<BudgetOrder>): Promise<BudgetOutcome> {
  const { dataset, reserved } = reserveImages(await readMnist());
  const before = process.cpuUsage();
  try {
    await train(config, { folder, dataset });
  } catch (error) {
    // It would diverge again: that is a result.
    if (error instanceof DivergedError) return { diverged: error.message };
    throw error;
  }
  const { user, system } = process.cpuUsage(before);
  const predictions = await (await openRun(folder)).predictions();
  const isReserved = predictions.instances.map((name) => reserved.has(instanceOf(name)));
  return {
    reserved: scoresOf(predictions, isReserved, dataset.classNames.length),
    test: scoresOf(
      predictions,
      isReserved.map((own) => !own),
      dataset.classNames.length,
    ),
    seconds: Math.round((user + system) / 1e6),
  };
}

/** Images that are not files of their own are named by their numbers, from 1. */
function instanceOf(name: string): number {
  return Number(name) - 1;
}

/** Top-1 and recalls on some of the instances. */
export function scoresOf(
  { labels, answers }: Pick<TestPredictions, 'labels' | 'answers'>,
  isOf: readonly boolean[],
  classes: number,
): PartScores {
  const instances = new Int32Array(classes);
  const right = new Int32Array(classes);
  for (const [i, label] of labels.entries()) {
    if (!at(isOf, i)) continue;
    instances[label] = at(instances, label) + 1;
    if (answers[i] === label) right[label] = at(right, label) + 1;
  }
  const sum = (counts: Int32Array) => counts.reduce((a, b) => a + b, 0);
  return { top1: sum(right) / sum(instances), recall: Array.from(instances, (count, p) => at(right, p) / count) };
}

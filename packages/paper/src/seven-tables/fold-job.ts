import { type ConfigInput, openRun, type Run, train } from 'evenhand';
import { type Config, configHash, parseConfig } from 'evenhand/config';
import type { WithRunFolder } from '../runner/run-line-jobs.js';
import type { FoldKey, FoldResult } from './fold-results.js';
import { FOLDS, foldRows, foldsOf } from './folds.js';
import { type FoldMeasures, measuresOf } from './measures.js';
import { readTable } from './tables.js';

/** The name of our learner with its defaults. */
export const OUR_LEARNER = 'evenhand';

/** Options that our learner is given beside the data: none for the defaults. */
export interface Variant extends Partial<Omit<ConfigInput, 'seed' | 'data'>> {
  readonly data?: Partial<ConfigInput['data']>;
}

/** A fold to be learned and tested. */
export interface FoldOrder extends FoldKey {
  readonly tablesFolder: string;
  readonly variant: Variant;
}

/** What was measured of a fold. */
export type LearnedFold = FoldMeasures & Pick<FoldResult, 'seconds' | 'outOfFold'>;

/** A microsecond, in seconds. */
const MICROSECOND = 1e-6;

/** Learns from the other folds, with nothing but the target if the variant is empty, and answers for this one. */
export async function learnFold(order: WithRunFolder<FoldOrder>): Promise<LearnedFold> {
  const { table, repeat, fold, variant, folder } = order;
  const dataset = await readTable(order.tablesFolder, table);
  const { test } = foldRows(foldsOf(dataset, repeat), fold);
  const config = configOf(table, repeat * FOLDS + fold, variant);
  const before = process.cpuUsage();
  await train(config, { folder, dataset: { ...dataset, officialTest: test }, importance: false });
  const { user, system } = process.cpuUsage(before);
  const run = await openRun(folder);
  const { labels, answers, probabilities } = await run.predictions();
  if (labels.length !== test.length) {
    throw new Error(`internal: ${labels.length} rows were tested; the fold has ${test.length}`);
  }
  const { names } = await run.classes();
  const measures = measuresOf({ labels, answers, probabilities, classNames: names });
  return {
    ...measures,
    seconds: Math.round((user + system) * MICROSECOND * 1000) / 1000,
    ...(await outOfFoldOf(run)),
  };
}

/** What a choice may be made by: of the epoch whose weights are used, and of no test row. A portfolio has members instead of epochs. */
async function outOfFoldOf(run: Run): Promise<Pick<FoldResult, 'outOfFold'>> {
  if (run.config.model.name === 'auto' || run.config.folds === 1) return {};
  const { weights } = await run.evaluation();
  const measured = (await run.metrics())[weights.epoch]?.validation;
  if (measured?.balancedLogLoss === undefined) return {};
  return { outOfFold: { balancedLogLoss: measured.balancedLogLoss, softAccuracy: measured.softAccuracy } };
}

/** What our learner is told. One thread, as for the peers. */
function configOf(table: string, seed: number, { data, ...variant }: Variant): Config {
  return parseConfig({ threads: 1, ...variant, seed, data: { ...data, source: `${table}.csv`, target: 'class' } });
}

/** Names all that the learner is told beside the data. Results of one configuration are not those of another. */
export function variantHash(variant: Variant): string {
  return configHash(configOf('table', 0, variant)).slice(0, 12);
}

import { dirname } from 'node:path';
import type { Command } from 'commander';
import { countOf } from '../../options/checked-words.js';
import { addExamples, addOutputOptions, terminalOf, textOf, valuesOf } from '../../options/define-command.js';
import { givenConfig } from '../../options/given-config.js';
import { withKeptInput } from '../../options/kept-input.js';
import { addConfigOptions } from '../../options/options-from-schema.js';
import { addCoordinatorOptions } from '../../options/queue-options.js';
import { isTrained, planRuns } from './plan-runs.js';
import { trainPlan } from './train-plan.js';

const MOST_SEEDS = 1000;
const MOST_SPLITS = 100;

/** `evenhand train`. */
export function defineTrain(command: Command): Command {
  addExamples(command, [
    'train fraud.csv --target class',
    'train photos/ --model resnet20 --epochs 100',
    'train fraud.csv --target class --method one-hot,enhancement,inverse-frequency --splits 5',
    'train fraud.csv --target class --method class-weights --weight fraud=20',
    `train fraud.csv --target class --objective '{"costs": {"fraud": {"normal": 20}, "normal": {"fraud": 1}}}'`,
  ])
    .argument(
      '[data]',
      'a CSV, TSV, JSON lines or Parquet file (- is stdin), a folder of images, or the name of a known data set',
    )
    .option('--run <folder>', 'folder of the run (default: a new folder in runs/)')
    .option('--no-report', 'write no report.html')
    .option('--no-importance', 'do not measure what each column of a table is worth to the model')
    .option(
      '--splits <number>',
      'number of random splits into training and test instances to train on, so that a comparison does not depend on one choice of test instances (default 1)',
    )
    .option(
      '--seeds <number>',
      'number of trainings on each split, each with the next seed, to see how much the luck of training matters (default 1)',
    );
  addCoordinatorOptions(command);
  addOutputOptions(addConfigOptions(command));
  return command.action(async (data: string | undefined) => {
    const terminal = terminalOf(command);
    const given = await givenConfig(data, valuesOf(command));
    const [method, folder] = [textOf(command, 'method'), textOf(command, 'run')];
    const seeds = countOf(command, '--seeds', MOST_SEEDS) ?? 1;
    const splits = countOf(command, '--splits', MOST_SPLITS);
    const { report, importance } = valuesOf(command);
    const options = { report: report === true, importance: importance === true };
    await withKeptInput(terminal, given, folder === undefined ? 'runs' : dirname(folder), (kept, use) =>
      planRuns(kept, { method, folder, seeds, splits }, async (plan) => {
        await trainPlan(command, terminal, plan, options).finally(() => use(isTrained(plan)));
      }),
    );
  });
}

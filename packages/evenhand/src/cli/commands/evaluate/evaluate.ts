import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../../../config/schema.js';
import { type Evaluation, evaluate } from '../../../evaluation/evaluate.js';
import { fileName, STANDARD_INPUT } from '../../../files/standard-input.js';
import { openModel, type Predictor } from '../../../prediction/predictor.js';
import type { TestEvaluation } from '../../../runs/evaluation-file.js';
import { openRun } from '../../../runs/run.js';
import { type TableReading, tableReading } from '../../../sources/table-reading.js';
import { costsOf, objectiveOf } from '../../../training/decide.js';
import { UserError } from '../../../user-error.js';
import { count } from '../../../wording/numbers.js';
import { addExamples, addOutputOptions, terminalOf, textOf } from '../../options/define-command.js';
import { runAsJson, showResults } from '../train/show-run.js';
import { predictLabelledImages, predictLabelledTable, type TestedData } from './test-data.js';

/** `evenhand evaluate`. */
export function defineEvaluate(command: Command): Command {
  addExamples(command, [
    'evaluate runs/fraud-logit-adjustment fraud-2026.csv',
    'evaluate runs/photos-enhancement more-photos/ --json',
  ])
    .argument('<run>', 'the folder of a run')
    .argument(
      '<data>',
      'a table with the target column (- is stdin), or a folder of images with one sub-folder per class',
    )
    .option('--target <column>', 'the column with the classes (default: as in training)');
  addOutputOptions(command);
  return command.action(async (folder: string, data: string) => {
    const terminal = terminalOf(command);
    const run = await openRun(folder);
    const trained = await run.evaluation();
    const model = await openModel(run.modelFile);
    try {
      const target = textOf(command, 'target') ?? run.config.data.target;
      const tested = await testedData(model, data, target, tableReading(run.config.data));
      for (const note of tested.notes) terminal.note(`note: ${note}`);
      const evaluation = evaluationOf(model, tested, trained, run.config);
      const origin = originNote(data, tested, run.config.data);
      if (origin !== undefined) terminal.note(`note: ${origin}`);
      showResults(
        terminal,
        evaluation,
        trained.counts.training,
        fileName(data === STANDARD_INPUT ? data : resolve(data)),
      );
      const { config, environment } = run;
      const tried = { folder, config, environment, evaluation: { ...trained, ...evaluation } };
      terminal.json({ ...runAsJson(tried), data, instances: tested.labels.length });
    } finally {
      await model.close();
    }
  });
}

/** What is tested of a set that has a test set of its own, and what training has seen of it if it is the run's. */
function originNote(data: string, { isOfficialTest, labels }: TestedData, trained: Config['data']): string | undefined {
  const isOwn = resolve(data) === resolve(trained.source);
  // A test set that is drawn comes out of all instances.
  if (isOwn && !(isOfficialTest && trained.testShare === undefined && trained.testPerClass === undefined)) {
    return `the model was trained on a part of ${data}: these numbers are too optimistic.`;
  }
  if (!isOfficialTest) return undefined;
  const unseen = isOwn ? ', which training never saw' : '';
  return `${data} has a test set of its own: these are its ${count(labels.length)} instances${unseen}.`;
}

async function testedData(
  model: Predictor,
  data: string,
  target: string | undefined,
  reading: TableReading,
): Promise<TestedData> {
  if (model.preprocessing.kind === 'images') return predictLabelledImages(model, data);
  if (target === undefined) throw new UserError('--target does not say which column holds the classes');
  return predictLabelledTable(model, data, { ...reading, target });
}

function evaluationOf(
  { classNames }: Predictor,
  { prediction, labels }: TestedData,
  trained: TestEvaluation,
  { seed, decision }: Config,
): Evaluation {
  const { probabilities, classes: answers } = prediction;
  const objective = objectiveOf(decision, classNames);
  return evaluate({
    labels,
    probabilities,
    answers,
    classNames,
    trainingCounts: trained.counts.training,
    seed,
    ...costsOf(objective),
  });
}

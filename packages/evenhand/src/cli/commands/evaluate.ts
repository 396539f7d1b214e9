import { basename, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { evaluate } from '../../evaluation/evaluate.js';
import { openModel, type Prediction, type Predictor } from '../../prediction/predictor.js';
import { RUN_FILES } from '../../runs/run-folder.js';
import { likeliest } from '../../training/validation.js';
import { UserError } from '../../user-error.js';
import { answers, type CompleteRun, readRun } from '../read-run.js';
import { runAsJson, showResults } from '../summary.js';
import { predictLabelledImages, predictLabelledTable, type TestedData } from '../test-data.js';
import { addOutputOptions, defineCommand, terminalOf, textOf } from './define-command.js';

/** `evenhand evaluate`. */
export function evaluateCommand(): Command {
  const command = defineCommand('evaluate', "Tests a run's model with other data whose classes are known.", [
    'evaluate runs/fraud-enhancement fraud-2026.csv',
    'evaluate runs/photos-enhancement more-photos/ --json',
  ])
    .argument('<run>', 'the folder of a run')
    .argument('<data>', 'a table with the target column, or a folder of images with a sub-folder for each class')
    .option('--target <column>', 'the column with the classes (default: as in training)');
  addOutputOptions(command);
  return command.action(async (folder: string, data: string) => {
    const terminal = terminalOf(command);
    const run = await readRun(folder);
    const model = await openModel(join(folder, RUN_FILES.model));
    try {
      const tested = await testedData(model, data, textOf(command, 'target') ?? run.config.data.target);
      for (const note of tested.notes) terminal.note(`note: ${note}`);
      const results = resultsOf(model, tested, run);
      if (resolve(data) === resolve(run.config.data.source)) {
        terminal.note(`note: the model was trained with a part of ${data}: these numbers flatter it.`);
      }
      showResults(terminal, results, run.trainingCounts, basename(resolve(data)));
      terminal.json({ ...runAsJson({ ...run, results }), data, instances: tested.labels.length });
    } finally {
      await model.close();
    }
  });
}

async function testedData(model: Predictor, data: string, target: string | undefined): Promise<TestedData> {
  if (model.preprocessing.kind === 'images') return predictLabelledImages(model, data);
  if (target === undefined) throw new UserError('--target does not say which column holds the classes');
  return predictLabelledTable(model, data, target);
}

function resultsOf(
  { classNames }: Predictor,
  { prediction, labels }: TestedData,
  { config, trainingCounts }: CompleteRun,
) {
  const { probabilities } = prediction;
  const evaluationOf = (scores: Float32Array) =>
    evaluate({ labels, probabilities: scores, classNames, trainingCounts, seed: config.seed });
  const decided = decidedScores(prediction, classNames.length);
  return answers(evaluationOf(probabilities), decided === null ? null : evaluationOf(decided));
}

/** Where a threshold made another class than the likeliest the answer, scores in which it is the highest; else null. */
function decidedScores({ probabilities, classes: chosen }: Prediction, classes: number): Float32Array | null {
  const rows = Array.from(chosen.keys()).filter((row) => likeliest(probabilities, row, classes) !== chosen[row]);
  if (rows.length === 0) return null;
  const scores = probabilities.slice();
  for (const row of rows) scores.subarray(row * classes, (row + 1) * classes).reverse(); // a threshold has two classes
  return scores;
}

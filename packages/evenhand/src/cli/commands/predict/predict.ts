import { join } from 'node:path';
import type { Command } from 'commander';
import { at } from '../../../checked-access.js';
import { hasTooManyClasses } from '../../../dataset/many-classes.js';
import { isFolder } from '../../../files/is-folder.js';
import { prepareOutput, type WriteOutput } from '../../../files/output-file.js';
import { STANDARD_INPUT } from '../../../files/standard-input.js';
import { walkFolder } from '../../../files/walk-folder.js';
import { openModel, type Predictor } from '../../../prediction/predictor.js';
import { likeliestClasses } from '../../../runs/probability-columns.js';
import { count } from '../../../wording/numbers.js';
import { addExamples, addOutputOptions, terminalOf, textOf } from '../../options/define-command.js';
import { formatTable } from '../../terminal/table.js';
import type { Terminal } from '../../terminal/terminal.js';
import { printable } from '../../terminal/text.js';
import { type PredictedTable, predictImageFiles, predictTableFile } from './predicted-table.js';
import { answerNameNotes, predictionFormat, predictionText } from './prediction-text.js';
import { modelFile, readingOf } from './trained-model.js';

/** `evenhand predict`. */
export function definePredict(command: Command): Command {
  addExamples(command, [
    'predict runs/fraud-logit-adjustment new.csv --out predicted.csv',
    'predict runs/photos-enhancement inbox/ > predicted.csv',
    'predict runs/fraud-logit-adjustment - < new.jsonl > predicted.jsonl',
  ])
    .argument('<run>', 'the folder of a run, or its model.onnx')
    .argument('<data>', 'a table with the columns of training (- is stdin), an image, or a folder of images')
    .option(
      '--out <file>',
      'file for the predictions: CSV, or JSON lines for .jsonl and .ndjson (default: stdout, in the format of the data)',
    );
  addOutputOptions(command);
  return command.action(async (run: string, data: string) => {
    const terminal = terminalOf(command);
    const out = textOf(command, 'out');
    const trained = await modelFile(run);
    const write = out === undefined ? undefined : await prepareOutput(out, [trained, ...(await filesOf(data))]);
    const model = await openModel(trained);
    try {
      const isImages = model.preprocessing.kind === 'images';
      const predicted = await (isImages
        ? predictImageFiles(model, data)
        : predictTableFile(model, data, await readingOf(run)));
      const notes = [...predicted.notes, ...answerNameNotes(model.classNames, predicted)];
      for (const note of notes) terminal.note(`note: ${note}`);
      await deliver(terminal, model, predicted, { out, write });
    } finally {
      await model.close();
    }
  });
}

/** The data: a file, or those of a folder. */
async function filesOf(data: string): Promise<string[]> {
  if (data === STANDARD_INPUT) return [];
  return isFolder(data) ? (await walkFolder(data)).files.map((file) => join(data, file)) : [data];
}

async function deliver(
  terminal: Terminal,
  { classNames }: Predictor,
  predicted: PredictedTable,
  { out, write }: { readonly out: string | undefined; readonly write: WriteOutput | undefined },
) {
  const { labels, probabilities } = predicted.prediction;
  const counts = new Map<string, number>(classNames.map((name) => [name, 0]));
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  const classes = [...counts].map(([name, predictedCount]) => ({ name, predicted: predictedCount }));
  const text = () => predictionText(predictionFormat(out, predicted), classNames, predicted);
  if (write !== undefined && out !== undefined) {
    await write(text());
    const shown = hasTooManyClasses(classes.length) ? mostPredicted(classes) : classes;
    const rows = shown.map(({ name, predicted: number }) => [name, count(number)]);
    terminal.say(
      formatTable([{ title: 'class', align: 'left' }, { title: 'predicted' }], rows, (title) =>
        terminal.style('bold', title),
      ),
    );
    if (shown.length < classes.length)
      terminal.say(
        `  These are predicted most often; ${count(classes.length - shown.length)} more classes are not shown.`,
      );
    terminal.say(`\n  predictions  ${printable(out)}`);
    terminal.json({ rows: labels.length, classes, out });
    return;
  }
  if (terminal.options.json !== true) terminal.write(text());
  const rowOf = (i: number) => probabilities.subarray(i * classNames.length, (i + 1) * classNames.length);
  terminal.json({
    rows: labels.length,
    classes,
    predictions: labels.map((label, i) => ({ class: label, ...probabilitiesAsJson(classNames, rowOf(i)) })),
  });
}

/** Classes that the terminal shows of very many. */
const SHOWN = 40;

interface PredictedClass {
  readonly name: string;
  readonly predicted: number;
}

function mostPredicted(classes: readonly PredictedClass[]): PredictedClass[] {
  return [...classes].sort((a, b) => b.predicted - a.predicted).slice(0, SHOWN);
}

/** Of every class, or by name of the likeliest of very many. */
function probabilitiesAsJson(classNames: readonly string[], row: Float32Array): object {
  if (!hasTooManyClasses(classNames.length)) return { probabilities: [...row] };
  const likeliest = likeliestClasses(row).map(({ index, probability }) => ({
    class: at(classNames, index),
    probability,
  }));
  return { likeliest };
}

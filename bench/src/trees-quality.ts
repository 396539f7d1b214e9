// Boosted trees and scikit-learn's, with the same settings (255 bins, 31 leaves, rate 0.1, 100 rounds, no sampling), on the folds of seven tables and
// on generated data: are they equally good? Prints JSON, which results/trees/scikit-learn.json keeps:
//
//   EVENHAND_DATA=… node bench/dist/trees-quality.js > results/trees/scikit-learn.json
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { classificationReport } from '@evenhand/encoding';
import { seededRandom } from '@evenhand/engine';
import { predict } from '@evenhand/trees';
import { fit as trainTrees } from '@evenhand/trees/node';
import { dataFolder, readTableFile, stratifiedFolds } from 'evenhand/data';
import { Peer } from './peer.js';

const TABLES = ['abalone', 'ann-thyroid', 'glass', 'mammography', 'page-blocks', 'winequality-white', 'yeast'];
const FOLDS = 5;
const TESTED_FOLDS = 2;
const ROUNDS = 100;

/** A table of numbers. Categories are their codes, for both sides. */
interface NumberTable {
  readonly name: string;
  readonly values: Float32Array;
  readonly columns: number;
  readonly labels: Int32Array;
  readonly classes: number;
  readonly foldOf: Int32Array;
}

interface Measures {
  readonly balancedAccuracy: number;
  readonly logLoss: number;
  readonly rocAuc: number;
}

async function readNumbers(name: string): Promise<NumberTable> {
  const dataset = await readTableFile(join(dataFolder(), 'tabular', `${name}.csv`), { target: 'class' });
  const { columns, labels, classNames } = dataset;
  const values = new Float32Array(labels.length * columns.length);
  for (const [j, column] of columns.entries()) {
    const own = 'codes' in column ? column.codes : column.values;
    for (let row = 0; row < labels.length; row++) values[row * columns.length + j] = own[row] ?? Number.NaN;
  }
  const foldOf = stratifiedFolds(dataset, { folds: FOLDS, seed: 0 });
  return { name, values, columns: columns.length, labels, classes: classNames.length, foldOf };
}

/** 50,000 rows of 30 numbers, five classes by a threshold, a product and a wave, with noise. */
function generated(): NumberTable {
  const [rows, columns, classes] = [50_000, 30, 5];
  const random = seededRandom(2, 'trees quality');
  const values = Float32Array.from({ length: rows * columns }, random);
  const labels = Int32Array.from({ length: rows }, (_, row) => {
    const [a = 0, b = 0, c = 0, d = 0] = values.subarray(row * columns, row * columns + 4);
    const score = (a > 0.6 ? 0.4 : 0) + 0.8 * b * c + 0.2 * Math.sin(6 * d) + 0.3 * random();
    return Math.min(classes - 1, Math.max(0, Math.floor((score / 1.3) * classes)));
  });
  return { name: 'generated', values, columns, labels, classes, foldOf: labels.map((_, row) => row % FOLDS) };
}

/** Rows of a table. */
function chosen({ values, columns, labels, foldOf }: NumberTable, isChosen: (fold: number) => boolean) {
  const rows = foldOf.map((_, row) => row).filter((row) => isChosen(foldOf[row] ?? 0));
  const own = new Float32Array(rows.length * columns);
  for (const [i, row] of rows.entries()) own.set(values.subarray(row * columns, (row + 1) * columns), i * columns);
  return { values: own, labels: rows.map((row) => labels[row] ?? 0) };
}

function measuresOf(labels: Int32Array, probabilities: ArrayLike<number>, classes: number): Measures {
  // Only classes that are tested can be ranked or missed.
  const report = classificationReport(labels, Float64Array.from(probabilities), { classes });
  const { balancedAccuracy, macro } = report;
  const losses = Array.from(
    labels,
    (label, row) => -Math.log(Math.max(1e-15, probabilities[row * classes + label] ?? 0)),
  );
  return {
    balancedAccuracy,
    logLoss: losses.reduce((a, b) => a + b, 0) / losses.length,
    rocAuc: macro.rocAuc.value ?? Number.NaN,
  };
}

const sklearn = Peer.python('sklearn_trees.py', ['sklearn'], 'on Debian: apt-get install python3-sklearn');
if (sklearn === null) process.exit(1);
const folder = await mkdtemp(join(tmpdir(), 'trees-quality-'));
const results: object[] = [];
try {
  const names = process.argv.slice(2);
  for (const name of names.length === 0 ? [...TABLES, 'generated'] : names) {
    const table = name === 'generated' ? generated() : await readNumbers(name);
    const { columns, classes } = table;
    for (let fold = 0; fold < (name === 'generated' ? 1 : TESTED_FOLDS); fold++) {
      const training = chosen(table, (own) => own !== fold);
      const test = chosen(table, (own) => own === fold);
      const { model } = await trainTrees({ ...training, columns, classes }, { rounds: ROUNDS });
      const ours = measuresOf(test.labels, predict(model, { values: test.values, columns }), classes);
      const files = ['training', 'labels', 'test', 'answers'].map((file) => join(folder, file));
      const [trainingFile = '', labelsFile = '', testFile = '', answersFile = ''] = files;
      await writeFile(trainingFile, training.values);
      await writeFile(labelsFile, training.labels);
      await writeFile(testFile, test.values);
      await sklearn.run({ work: 'answers', files, columns, classes, rounds: ROUNDS });
      const answers = new Float64Array(new Uint8Array(await readFile(answersFile)).buffer);
      results.push({ table: name, fold, ours, scikitLearn: measuresOf(test.labels, answers, classes) });
      process.stderr.write(`${JSON.stringify(results.at(-1))}\n`);
    }
  }
} finally {
  sklearn.stop();
  await rm(folder, { recursive: true });
}
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);

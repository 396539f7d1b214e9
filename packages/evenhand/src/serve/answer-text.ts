import { at, float32At, int32At } from '../checked-access.js';
import { hasTooManyClasses } from '../dataset/many-classes.js';
import { likeliestClasses, probabilityCells, probabilityTitles } from '../runs/probability-columns.js';
import { csvCell } from '../tables/csv-cell.js';
import type { Answers } from './model-thread.js';
import type { ServedModel } from './served-model.js';

/** The answers as JSON: of every row the class, and the probability of every class, or of the likeliest of very many. */
export function answersAsJson(model: ServedModel, answers: Answers, notes: readonly string[]): string {
  const { classNames, version } = model;
  const predictions = rowsOf(model, answers).map(({ label, probabilities }) => ({
    class: label,
    ...(hasTooManyClasses(classNames.length)
      ? {
          likeliest: likeliestClasses(probabilities).map(({ index, probability }) => ({
            class: at(classNames, index),
            probability,
          })),
        }
      : // Unlike an assignment, fromEntries makes an ordinary entry of the name `__proto__`.
        { probabilities: Object.fromEntries(classNames.map((name, q) => [name, float32At(probabilities, q)])) }),
  }));
  return JSON.stringify({ model: version, predictions, notes });
}

/** The answers as CSV: the columns that `evenhand predict` writes behind those of the data. */
export function answersAsCsv(model: ServedModel, answers: Answers): string {
  const { classNames } = model;
  const lines = rowsOf(model, answers).map(({ label, probabilities }) => [
    label,
    ...probabilityCells(classNames, probabilities),
  ]);
  return [['predicted', ...probabilityTitles(classNames)], ...lines]
    .map((cells) => `${cells.map(csvCell).join(',')}\n`)
    .join('');
}

function rowsOf({ classNames }: ServedModel, { classes, probabilities }: Answers) {
  const width = classNames.length;
  return Array.from({ length: classes.length }, (_, row) => ({
    label: at(classNames, int32At(classes, row)),
    probabilities: probabilities.subarray(row * width, (row + 1) * width),
  }));
}

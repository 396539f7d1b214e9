import { probabilityCells, probabilityTitles } from '../../../runs/probability-columns.js';
import { csvCell } from '../../../tables/csv-cell.js';
import { asTexts, type RawColumn, type RawTexts } from '../../../tables/raw-table.js';
import type { PredictedTable } from './predicted-table.js';

/** The columns that are written behind those of the data. */
interface AnswerNames {
  readonly label: string;
  /** Of every class, or of the likeliest of very many. */
  readonly probabilities: readonly string[];
}

/** How predictions are written. */
export type PredictionFormat = 'csv' | 'json-lines';

/** By the ending of the file's name; where that says nothing, as the data is written. */
export function predictionFormat(out: string | undefined, { rowTexts }: PredictedTable): PredictionFormat {
  if (out !== undefined && /\.(jsonl|ndjson)$/i.test(out)) return 'json-lines';
  if (out !== undefined && /\.(csv|tsv|txt)$/i.test(out)) return 'csv';
  return rowTexts === undefined ? 'csv' : 'json-lines';
}

/** Names that no column of the data has: `predicted`, or `predicted 2` and so on for all of them. */
export function answerNames(classNames: readonly string[], columns: readonly RawColumn[]): AnswerNames {
  const taken = new Set(columns.map(({ name }) => name));
  for (let number = 1; ; number++) {
    const free = (name: string) => (number === 1 ? name : `${name} ${number}`);
    const label = free('predicted');
    const probabilities = probabilityTitles(classNames).map(free);
    if (![label, ...probabilities].some((name) => taken.has(name))) return { label, probabilities };
  }
}

/** What a person should be told if the data has columns of the usual names. */
export function answerNameNotes(classNames: readonly string[], { columns }: PredictedTable): string[] {
  const usual = answerNames(classNames, []);
  const { label } = answerNames(classNames, columns);
  if (label === usual.label) return [];
  const names = new Set([usual.label, ...usual.probabilities]);
  const taken = columns.find(({ name }) => names.has(name))?.name ?? '';
  const ending = label.slice(usual.label.length);
  return [
    `The data has a column "${taken}" of its own: the answers are in the column "${label}", and the names of the probabilities end in "${ending}".`,
  ];
}

/** The table with the predicted class and the probability of every class behind its own columns. */
export function predictionText(
  format: PredictionFormat,
  classNames: readonly string[],
  predicted: PredictedTable,
): string {
  const names = answerNames(classNames, predicted.columns);
  const classes = classNames.length;
  const { probabilities } = predicted.prediction;
  const cellsOf = (row: number) =>
    probabilityCells(classNames, probabilities.subarray(row * classes, (row + 1) * classes));
  return format === 'csv' ? predictionCsv(names, predicted, cellsOf) : predictionJsonLines(names, predicted, cellsOf);
}

/** What is written below the titles of the probabilities. */
type ProbabilityCells = (row: number) => readonly (string | number)[];

/** Missing values are empty cells. Texts that a spreadsheet would take for formulas are made inert. */
function predictionCsv(names: AnswerNames, { columns, prediction }: PredictedTable, cellsOf: ProbabilityCells): string {
  const header = [...columns.map(({ name }) => name), names.label, ...names.probabilities];
  const lines = [header.map(csvCell).join(',')];
  const cells = columns.map(asTexts).map(({ texts, codes }) => ({ texts: texts.map(csvCell), codes }));
  for (const [row, label] of prediction.labels.entries()) {
    const own = cells.map(({ texts, codes }) => texts[codes[row] ?? -1] ?? '');
    lines.push([...own, csvCell(label), ...cellsOf(row).map(csvCell)].join(','));
  }
  return `${lines.join('\n')}\n`;
}

/**
 * JSON objects stay as they are, with the answers behind their own keys. Of other tables, columns of nothing but numbers, written
 * as JSON writes them, are numbers; `007` is a text. Missing values are null.
 */
function predictionJsonLines(
  names: AnswerNames,
  { columns, rowTexts, prediction }: PredictedTable,
  cellsOf: ProbabilityCells,
): string {
  const cells = rowTexts === undefined ? columns.map(asTexts).map(jsonCells) : [];
  const titles = [names.label, ...names.probabilities];
  const lines = prediction.labels.map((label, row) => {
    const own = rowTexts?.[row] ?? objectText(cells.map(({ name, cell }) => [name, cell(row)]));
    const values = [label, ...cellsOf(row)].map((value) => JSON.stringify(value));
    const ours = objectText(titles.map((title, i) => [title, values[i] ?? 'null']));
    const separator = /^\{\s*\}$/.test(own) ? '' : ',';
    return `${own.slice(0, -1)}${separator}${ours.slice(1)}\n`;
  });
  return lines.join('');
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

function jsonCells({ name, texts, codes }: RawTexts): {
  readonly name: string;
  readonly cell: (row: number) => string;
} {
  const isNumeric = texts.every((text) => JSON_NUMBER.test(text));
  const json = isNumeric ? texts : texts.map((text) => JSON.stringify(text));
  return { name, cell: (row) => json[codes[row] ?? -1] ?? 'null' };
}

/** @param entries - keys, and values that are JSON. No object in between: it would order keys that are numbers */
function objectText(entries: readonly (readonly [string, string])[]): string {
  return `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
}

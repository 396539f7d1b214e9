import { csvCell } from '../../../tables/csv-cell.js';
import { asTexts, type RawColumn, type RawTexts } from '../../../tables/raw-table.js';
import type { PredictedTable } from './predicted-table.js';

/** The columns that are written behind those of the data. */
interface AnswerNames {
  readonly label: string;
  /** Of every class. */
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
    const probabilities = classNames.map((name) => free(`probability of ${name}`));
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
  return format === 'csv' ? predictionCsv(names, predicted) : predictionJsonLines(names, predicted);
}

/** Missing values are empty cells. Texts that a spreadsheet would take for formulas are made inert. */
function predictionCsv({ label, probabilities: titles }: AnswerNames, { columns, prediction }: PredictedTable): string {
  const { labels, probabilities } = prediction;
  const header = [...columns.map(({ name }) => name), label, ...titles];
  const lines = [header.map(csvCell).join(',')];
  const cells = columns.map(asTexts).map(({ texts, codes }) => ({ texts: texts.map(csvCell), codes }));
  for (const [row, answer] of labels.entries()) {
    const own = cells.map(({ texts, codes }) => texts[codes[row] ?? -1] ?? '');
    const ours = probabilities.subarray(row * titles.length, (row + 1) * titles.length);
    lines.push([...own, csvCell(answer), ...ours].join(','));
  }
  return `${lines.join('\n')}\n`;
}

/**
 * JSON objects stay as they are, with the answers behind their own keys. Of other tables, columns of nothing but numbers, written
 * as JSON writes them, are numbers; `007` is a text. Missing values are null.
 */
function predictionJsonLines(
  { label, probabilities: titles }: AnswerNames,
  { columns, rowTexts, prediction }: PredictedTable,
): string {
  const { labels, probabilities } = prediction;
  const cells = rowTexts === undefined ? columns.map(asTexts).map(jsonCells) : [];
  const ownOf = (row: number) => rowTexts?.[row] ?? objectText(cells.map(({ name, cell }) => [name, cell(row)]));
  const lines = labels.map((answer, row) => {
    const own = ownOf(row);
    const ours = objectText([
      [label, JSON.stringify(answer)],
      ...titles.map((title, p) => [title, String(probabilities[row * titles.length + p])] as const),
    ]);
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

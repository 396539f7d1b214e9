import { Tensor } from 'onnxruntime-node';
import { float64At, int32At } from '../checked-access.js';
import type { Column } from '../dataset/column.js';
import { matchColumns, rowsOf } from '../preprocessing/match-columns.js';
import type { TablePreprocessing } from '../preprocessing/preprocessing.js';
import { readRawNumbers } from '../preprocessing/raw-numbers.js';

/** What a model is fed for some instances, by the names of its inputs. */
export type Feeds = (rows: Int32Array) => Record<string, Tensor> | Promise<Record<string, Tensor>>;

/** How many rows a table has, and how they are fed to a model: every column that it was trained with, found by name. */
export function tableFeeds(
  preprocessing: TablePreprocessing,
  columns: readonly Column[],
): { readonly rows: number; readonly feeds: Feeds } {
  const types = preprocessing.columns.map(({ type }) => type);
  const matched = matchColumns(types, columns);
  const byName = matched.map((column, i) => {
    const known = preprocessing.columns[i]?.rules.flatMap((rule) => (rule.kind === 'category' ? rule.categories : []));
    return [column.name, columnFeed(column, new Set(known))] as const;
  });
  // Unlike an assignment, fromEntries makes an ordinary entry of the name `__proto__`.
  const feeds: Feeds = (rows) => Object.fromEntries(byName.map(([name, feed]) => [name, feed(rows)]));
  return { rows: rowsOf(matched), feeds };
}

function columnFeed(column: Column, known: ReadonlySet<string>): (rows: Int32Array) => Tensor {
  if (column.kind === 'categorical') {
    const { codes } = column;
    const unknown = unknownText(known);
    const texts = column.categories.map((text) => (known.has(text) ? text : unknown));
    return (rows) => {
      const data = Array.from(rows, (row) => texts[int32At(codes, row)] ?? unknown);
      return new Tensor('string', data, [rows.length, 1]);
    };
  }
  if (column.kind === 'date') {
    const { values } = column;
    return (rows) => {
      const data = new Float64Array(rows.length);
      for (const [i, row] of rows.entries()) data[i] = float64At(values, row);
      return new Tensor('float64', data, [rows.length, 1]);
    };
  }
  return (rows) => {
    const data = new Float32Array(rows.length);
    readRawNumbers(column, undefined, rows, data);
    return new Tensor('float32', data, [rows.length, 1]);
  };
}

/** A text that no category has, for what is missing. */
function unknownText(known: ReadonlySet<string>): string {
  let text = '';
  while (known.has(text)) text += '?';
  return text;
}

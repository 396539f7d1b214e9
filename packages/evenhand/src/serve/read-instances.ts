import type { Column } from '../dataset/column.js';
import { columnsOfRows, columnsOfText, type ReadColumns } from '../sources/table-columns.js';
import { shortened } from '../tables/cell-text.js';
import { refuseUnknownColumns } from '../tables/header.js';
import { errorMessage } from '../wording/error-message.js';
import { count } from '../wording/numbers.js';
import { cellsOf } from './cells.js';
import type { Instances } from './model-thread.js';
import { Problem } from './problem.js';
import { columnTypes, type ServedModel } from './served-model.js';

/** What a request asks about. */
export interface RequestedInstances {
  readonly instances: Instances;
  readonly count: number;
  /** What the client should be told: values missing, texts that training never saw. */
  readonly notes: readonly string[];
}

/** What to do with a column that the model does not know. */
export type UnknownColumns = 'refuse' | 'ignore';

/** What a request's body is, by its Content-Type. */
type Format = 'json' | 'text' | 'image';

const FORMATS: readonly (readonly [type: RegExp, format: Format])[] = [
  [/^application\/json$/, 'json'],
  [/^(text\/(csv|tab-separated-values)|application\/(x-ndjson|jsonl))$/, 'text'],
  [/^image\//, 'image'],
];

const [ROWS, IMAGE] = ['the request', 'the image'];
/** A row may be two letters long, and its answer a hundred: what fits into a body need not fit into memory. */
const MOST_ROWS = 100_000;

/**
 * What a request asks about, as the model takes it.
 *
 * @throws Problem if the body is not what its type says, or not what the model takes
 * @throws UserError that names the row and column of a value that cannot be used
 */
export async function readInstances(
  model: ServedModel,
  type: string | undefined,
  body: Buffer,
  unknown: UnknownColumns,
): Promise<RequestedInstances> {
  const format = formatOf(model, type);
  if (body.length === 0) throw new Problem(400, 'The body is empty; expected what the model should predict.');
  if (format === 'json') return readJson(model, body, unknown);
  if (format === 'text') return readText(model, body, unknown);
  const { preprocessing } = model;
  if (preprocessing.kind !== 'images') throw new Error('internal: an image for a model of tables');
  const { decodeImage } = await import('../images/decode-image.js');
  return { instances: Uint8Array.from(await decodeImage(body, preprocessing.shape, IMAGE)), count: 1, notes: [] };
}

function formatOf({ preprocessing }: ServedModel, header: string | undefined): Format {
  const [type = ''] = (header ?? '').toLowerCase().split(';');
  const format = FORMATS.find(([known]) => known.test(type.trim()))?.[1];
  const isTable = preprocessing.kind === 'table';
  if (format !== undefined && isTable === (format !== 'image')) return format;
  const expected = isTable
    ? 'application/json, text/csv or application/x-ndjson: the model was trained with a table'
    : 'image/jpeg, image/png or image/webp: the model was trained with images';
  const received = type === '' ? 'The request has no Content-Type' : `The Content-Type is ${shortened(type, 60)}`;
  throw new Problem(415, `${received}; expected ${expected}.`);
}

function readJson(model: ServedModel, body: Buffer, unknown: UnknownColumns): RequestedInstances {
  const rows = rowsOfJson(body);
  const plain = model.plainRows.read(rows);
  if (plain !== undefined) return { instances: plain, count: rows.length, notes: [] };
  return ofTable(columnsOfRows(knownPart(model, rows, unknown), columnTypes(model.preprocessing)));
}

/** One row, or a list of them. */
function rowsOfJson(body: Buffer): readonly unknown[] {
  let content: unknown;
  try {
    content = JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new Problem(400, `The body is no JSON (${errorMessage(error)}).`);
  }
  if (!Array.isArray(content)) return [content];
  refuseTooMany(content.length);
  return content;
}

function refuseTooMany(rows: number): void {
  if (rows <= MOST_ROWS) return;
  throw new Problem(
    422,
    `The request has ${count(rows)} rows; expected at most ${count(MOST_ROWS)}. Send several requests.`,
  );
}

/** The rows with the columns that the model knows. What is no row stays, to be named as what it is. */
function knownPart(model: ServedModel, rows: readonly unknown[], unknown: UnknownColumns) {
  const names = knownNames(model);
  const known = new Set(names);
  return rows.map((row, i) => {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) return row;
    if (unknown === 'refuse') refuseUnknownColumns(`${ROWS}, row ${i + 1}`, Object.keys(row), names);
    return Object.fromEntries(Object.entries(row).filter(([name]) => known.has(name)));
  });
}

async function readText(model: ServedModel, body: Buffer, unknown: UnknownColumns): Promise<RequestedInstances> {
  const { reading, preprocessing } = model;
  const others = unknown === 'refuse' ? knownNames(model) : undefined;
  return ofTable(await columnsOfText(ROWS, body, columnTypes(preprocessing), { ...reading, others }));
}

/** The target may come along: rows of the training data have it. */
function knownNames({ preprocessing }: ServedModel): string[] {
  if (preprocessing.kind !== 'table') return [];
  return [...columnTypes(preprocessing).map(({ name }) => name), preprocessing.target];
}

function ofTable({
  columns,
  rows,
  notes,
}: Pick<ReadColumns, 'rows' | 'notes'> & { readonly columns: readonly Column[] }) {
  refuseTooMany(rows);
  return { instances: cellsOf(columns, rows), count: rows, notes };
}

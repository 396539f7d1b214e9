import type { Config } from '../../../config/schema.js';
import type { Column } from '../../../dataset/column.js';
import type { Dataset } from '../../../dataset/dataset.js';
import { allInstances, countByClass } from '../../../dataset/instances.js';
import { openDataset } from '../../../sources/open-source.js';
import { columnNotes, requestAll, typingOf } from '../../../sources/table-file.js';
import { tableReading } from '../../../sources/table-reading.js';
import { firstIdentical } from '../../../splits/identical-instances.js';
import { treatRareClasses } from '../../../splits/rare-classes.js';
import { splitDataset } from '../../../splits/split-dataset.js';
import type { CsvWriting } from '../../../tables/raw-table.js';
import { readTable } from '../../../tables/read-table.js';
import { prepareMethod, splitOptions } from '../../../training/set-up.js';
import { UserError } from '../../../user-error.js';

/** A column, as `check` shows it. */
export interface CheckedColumn {
  readonly name: string;
  readonly kind: Column['kind'];
  readonly missing: number;
  /** How many values differ. */
  readonly distinct: number;
  readonly used: boolean;
}

/** What is in a data set, and what training would make of it. */
export interface DataCheck {
  readonly dataset: Dataset;
  readonly columns: readonly CheckedColumn[];
  /** Instances of each class. */
  readonly counts: readonly number[];
  /** Instances whose features are those of one before. */
  readonly duplicates: number;
  /** Instances of each class; null where the split is refused. */
  readonly split: { readonly training: number[]; readonly validation: number[]; readonly test: number[] } | null;
  readonly notes: readonly string[];
  /** Why training would refuse, if it would. */
  readonly problems: readonly string[];
}

/** Looks at data as training would, and goes on where training would refuse. */
export async function checkData(config: Config, onProgress: (done: number, total: number) => void): Promise<DataCheck> {
  const problems: string[] = [];
  const opened = await openForgiving(config.data, problems, onProgress);
  const notes: string[] = [];
  let dataset = opened;
  let split: DataCheck['split'] = null;
  try {
    dataset = treatRareClasses(opened, config.data.rareClasses);
    const parts = splitDataset(dataset, splitOptions(config));
    notes.push(...parts.notes);
    const countsOf = (places: Int32Array) => countByClass(dataset, places);
    split = { training: countsOf(parts.training), validation: countsOf(parts.validation), test: countsOf(parts.test) };
    prepareMethod(config, dataset.classNames, split.training);
  } catch (error) {
    problems.push(messageOf(error));
  }
  const duplicates = firstIdentical(dataset).reduce((sum, first, place) => sum + (first === place ? 0 : 1), 0);
  const counts = countByClass(dataset, allInstances(dataset));
  return {
    dataset,
    columns: columnsOf(dataset),
    counts,
    duplicates,
    split,
    notes: [...dataset.notes, ...notes],
    problems,
  };
}

/** Missing labels and values, and cells that are none, are what a check is for: it says so, and looks at the rest. */
async function openForgiving(
  data: Config['data'],
  problems: string[],
  onProgress: (done: number, total: number) => void,
): Promise<Dataset> {
  const lenient = { ...data, missingLabels: 'drop', missingValues: 'impute', invalidCells: 'missing' } as const;
  try {
    return await openDataset(data, { onProgress });
  } catch (error) {
    const message = messageOf(error);
    const dataset = await openDataset(lenient, { onProgress });
    problems.push(message);
    return dataset;
  }
}

function messageOf(error: unknown): string {
  if (error instanceof UserError) return error.message;
  throw error;
}

function columnsOf(dataset: Dataset): CheckedColumn[] {
  if (dataset.kind !== 'table') return [];
  const described = (used: boolean) => (column: Column) => describeColumn(column, used);
  return [...dataset.columns.map(described(true)), ...dataset.leftOut.map(described(false))];
}

function describeColumn(column: Column, used: boolean): CheckedColumn {
  const values = Array.from('values' in column ? column.values : column.codes);
  const present = values.filter((value) => !Number.isNaN(value) && ('values' in column || value >= 0));
  const missing = values.length - present.length;
  return { name: column.name, kind: column.kind, missing, distinct: new Set(present).size, used };
}

/** What is in a table that nobody has named a target of yet. */
interface ColumnsCheck {
  readonly rows: number;
  readonly columns: readonly CheckedColumn[];
  readonly writing?: CsvWriting;
  readonly notes: readonly string[];
}

export async function checkColumns(data: Config['data']): Promise<ColumnsCheck> {
  const reading = tableReading(data);
  const raw = await readTable(data.source, requestAll(data.source, { ignore: data.ignore, ...reading }), reading);
  const typed = raw.columns.map(typingOf(raw, reading, (row) => row));
  const columns = typed.map(({ column, leftOut }) => describeColumn(column, leftOut === null));
  const describeRow = (row: number) => `${raw.numbering.unit} ${raw.numbering.of(row)}`;
  const notes = [...raw.notes, ...columnNotes(typed, describeRow)];
  return { rows: raw.rows, columns, notes, ...(raw.writing === undefined ? {} : { writing: raw.writing }) };
}

/** Columns that may hold classes: few values, each more than once; names that say so, and the last column, come first. */
export function likelyTargets({
  rows,
  columns,
}: {
  readonly rows: number;
  readonly columns: readonly CheckedColumn[];
}): string[] {
  const few = columns.filter(({ distinct }) => distinct >= 2 && distinct <= Math.min(30, rows / 3));
  const rank = (column: CheckedColumn) => {
    if (/^(class|label|target|outcome|y)$/i.test(column.name)) return 0;
    return column === columns.at(-1) ? 1 : 2;
  };
  return [...few].sort((a, b) => rank(a) - rank(b)).map(({ name }) => name);
}

import fc from 'fast-check';
import type { Column, TableDataset } from '../../src/index.js';

export function numeric(name: string, ...values: number[]): Column {
  return { name, kind: 'numeric', values: Float64Array.from(values) };
}

export function date(name: string, ...times: (string | null)[]): Column {
  return {
    name,
    kind: 'date',
    values: Float64Array.from(times, (time) => (time === null ? Number.NaN : Date.parse(time))),
  };
}

export function boolean(name: string, ...codes: number[]): Column {
  return { name, kind: 'boolean', texts: ['no', 'yes'], codes: Int32Array.from(codes) };
}

/** null: missing */
export function categorical(name: string, ...texts: (string | null)[]): Column {
  const categories = [...new Set(texts.filter((text) => text !== null))];
  const codes = Int32Array.from(texts, (text) => (text === null ? -1 : categories.indexOf(text)));
  return { name, kind: 'categorical', categories, codes };
}

export function table(...columns: Column[]): TableDataset {
  return {
    kind: 'table',
    name: 'customers.csv',
    target: 'churn',
    classNames: ['no', 'yes'],
    labels: new Int32Array(columns[0] === undefined ? 0 : rowCount(columns[0])),
    contentHash: '',
    notes: [],
    columns,
    leftOut: [],
  };
}

export function rowCount(column: Column): number {
  return 'codes' in column ? column.codes.length : column.values.length;
}

export function allRows(count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => i);
}

/** Names and texts that have broken programs before. */
const WEIRD = [
  '__proto__',
  'toString',
  'constructor',
  'input',
  'images',
  'label',
  'label_',
  'probabilities',
  'preprocessing/input',
  'network/probabilities',
  'hidden1/weight',
  'constant:0',
  '🙂 emoji',
  '"quoted", with comma',
  "it's",
  ' ',
  'ä/ö\n',
];
const text = fc.oneof(fc.constantFrom('', ...WEIRD), fc.string({ unit: 'binary', maxLength: 5 }));
const number = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.double(),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300, 1.7e9, 0.1),
);
const time = fc.oneof(
  fc.date({ noInvalidDate: true }).map(Number),
  fc.integer({ min: -30_000, max: 30_000 }).map((day) => day * 86_400_000),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY),
);

type Kind = Column['kind'];

function valuesOf(name: string, kind: Kind, rows: number): fc.Arbitrary<Column> {
  const many = <T>(value: fc.Arbitrary<T>) => {
    const size = { minLength: rows, maxLength: rows };
    const constant = value.map((each) => Array.from({ length: rows }, () => each));
    return fc.oneof({ weight: 4, arbitrary: fc.array(value, size) }, { weight: 1, arbitrary: constant });
  };
  if (kind === 'boolean') return many(fc.integer({ min: -1, max: 1 })).map((codes) => boolean(name, ...codes));
  if (kind === 'categorical') return many(fc.option(text)).map((texts) => categorical(name, ...texts));
  return many(kind === 'date' ? time : number).map((values) => ({ name, kind, values: Float64Array.from(values) }));
}

/** A table, and another one of the same columns with other values and other categories. */
export interface TwoTables {
  readonly first: Column[];
  readonly second: Column[];
  /** Rows of the first that train. */
  readonly training: Int32Array;
}

export const twoTables: fc.Arbitrary<TwoTables> = fc
  .tuple(
    fc.uniqueArray(
      fc.oneof(
        fc.constantFrom(...WEIRD),
        fc.string({ minLength: 1 }).filter((name) => !name.includes('\0')),
      ),
      { minLength: 1, maxLength: 6 },
    ),
    fc.integer({ min: 1, max: 12 }),
  )
  .chain(([names, rows]) => {
    const kinds = fc.array(fc.constantFrom<Kind>('numeric', 'boolean', 'categorical', 'date'), {
      minLength: names.length,
      maxLength: names.length,
    });
    return kinds.chain((chosen) => {
      const columns = () => fc.tuple(...names.map((name, i) => valuesOf(name, chosen[i] ?? 'numeric', rows)));
      const training = fc.subarray([...allRows(rows)], { minLength: 1 }).map((some) => Int32Array.from(some));
      return fc.record({ first: columns(), second: columns(), training });
    });
  });

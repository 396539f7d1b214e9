import type { RunSummary } from 'evenhand/studio';
import { ago, NONE, optionText, percent, short } from '../../parts/format.js';

/** What can be sorted and compared. */
export type CellValue = string | number | null;

/** A column of the table. */
export interface Column {
  /** In filters and addresses: `balancedAccuracy`, `optimizer.learningRate`. */
  readonly key: string;
  readonly title: string;
  readonly width: number;
  readonly isNumeric: boolean;
  value(run: RunSummary): CellValue;
  text(run: RunSummary): string;
  /** Of several runs that are shown as one: the mean and its spread. */
  readonly isAveraged?: boolean;
}

function metric(key: keyof NonNullable<RunSummary['metrics']>, title: string): Column {
  const value = ({ metrics }: RunSummary) => metrics?.[key] ?? null;
  const text = (run: RunSummary) => (key === 'logLoss' ? (value(run)?.toFixed(3) ?? NONE) : percent(value(run)));
  return { key, title, width: 96, isNumeric: true, isAveraged: true, value, text };
}

function text(key: string, title: string, width: number, value: (run: RunSummary) => string): Column {
  return { key, title, width, isNumeric: false, value, text: value };
}

function epoch(key: 'best' | 'last', title: string): Column {
  return {
    key,
    title,
    width: 116,
    isNumeric: true,
    isAveraged: true,
    value: (run) => run[key]?.softAccuracy ?? null,
    text: (run) => {
      const score = run[key];
      return score === null ? NONE : `${percent(score.softAccuracy)} @${score.epoch}`;
    },
  };
}

/** Columns that every table can have. */
const COLUMNS: readonly Column[] = [
  text('state', 'state', 104, ({ state }) => state),
  text('dataset', 'data', 130, ({ dataset }) => dataset),
  text('method', 'method', 140, ({ method }) => method),
  text('model', 'model', 84, ({ model }) => model),
  number('seed', 'seed', ({ seed }) => seed),
  number('split', 'split', ({ split }) => split),
  {
    key: 'epochs',
    title: 'epochs',
    width: 84,
    isNumeric: true,
    value: ({ epochs }) => epochs.done,
    text: ({ epochs: { done, planned } }) =>
      planned === null || planned === done ? String(done) : `${done} / ${planned}`,
  },
  metric('balancedAccuracy', 'balanced accuracy'),
  metric('minorityAccuracy', 'minority accuracy'),
  metric('accuracy', 'accuracy'),
  metric('macroF1', 'macro F1'),
  metric('gMean', 'G-mean'),
  metric('logLoss', 'log-loss'),
  epoch('best', 'best epoch'),
  epoch('last', 'last epoch'),
  { ...number('loss', 'loss', ({ loss }) => loss), text: ({ loss }) => (loss === null ? NONE : short(loss)) },
  text('tags', 'tags', 120, ({ tags }) => tags.join(', ')),
  text('note', 'note', 160, ({ note }) => note),
  text('folder', 'folder', 180, ({ folder }) => folder),
  {
    key: 'changed',
    title: 'changed',
    width: 118,
    isNumeric: true,
    value: ({ changed }) => changed,
    text: ({ changed }) => ago(changed),
  },
];

/** What is shown until somebody chooses. */
export const DEFAULT_COLUMNS: readonly string[] = [
  'state',
  'dataset',
  'method',
  'model',
  'seed',
  'epochs',
  'balancedAccuracy',
  'minorityAccuracy',
  'accuracy',
  'best',
  'last',
  'tags',
  'changed',
];

function number(key: string, title: string, value: (run: RunSummary) => number | null): Column {
  return { key, title, width: 72, isNumeric: true, value, text: (run) => optionText(value(run)) };
}

/** The column of an option. */
function optionColumn(path: string): Column {
  const value = ({ options }: RunSummary): CellValue => {
    const found = options[path];
    return found === undefined || typeof found === 'boolean' ? (found === undefined ? null : String(found)) : found;
  };
  return {
    key: path,
    title: path,
    width: Math.min(200, 40 + 7 * path.length),
    isNumeric: false,
    value,
    text: (run) => optionText(value(run)),
  };
}

/** Options that every table has a column of, under another name or the same. */
const KNOWN: readonly string[] = ['seed', 'data.splitSeed', 'method.name', 'model.name', 'epochs'];

/** All columns that these runs can have: of options, those in which they differ. */
export function columnsOf(runs: Iterable<RunSummary>): Column[] {
  const paths = new Set<string>();
  for (const { options } of runs) for (const path of Object.keys(options)) paths.add(path);
  for (const path of KNOWN) paths.delete(path);
  return [...COLUMNS, ...[...paths].sort().map(optionColumn)];
}

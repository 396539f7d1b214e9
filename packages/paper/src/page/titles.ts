import type { CellMethod } from '../tables/cell-methods.js';
import type { LossName, MetricName, TableName } from '../tables/tables.js';
import type { ResultRow, ResultTable } from './results.js';

/** What metrics are called. */
export const METRIC_TITLES: Readonly<Record<MetricName, string>> = {
  top1: 'top-1',
  top5: 'top-5',
  minority: 'minority',
};

const TABLES: Readonly<Record<TableName, string>> = {
  table1: 'Table 1',
  table2: 'Table 2',
  table3: 'Table 3',
  transformers: 'Transformers',
};
const LOSSES: Readonly<Record<LossName, string>> = { mse: 'MSE', ce: 'CE', fl: 'FL' };

/** What methods that get the held-out images too are called; others have their own names. */
const METHODS: Readonly<Partial<Record<CellMethod, string>>> = {
  'one-hot-all-images': 'one-hot, all images',
  'inverse-frequency-all-images': 'class weights 1/n, all images',
  'logit-adjustment-all-images': 'logit adjustment, all images',
  'enhancement-given-back': 'enhancement, images given back',
  'confusion-margins-given-back': 'confusion margins with log prior, images given back',
  'confusion-margins': 'confusion margins with log prior',
};

/** What a cell's method is called. */
export function methodTitle(method: CellMethod): string {
  return METHODS[method] ?? method;
}

/** `Table 2, scale “cpu”` */
export function tableTitle({ name, scale }: Pick<ResultTable, 'name' | 'scale'>): string {
  return name === 'transformers' ? TABLES[name] : `${TABLES[name]}, scale “${scale}”`;
}

/** `CE, one-hot` */
export function cellsTitle({ loss }: Pick<ResultRow, 'loss'>, method: CellMethod): string {
  return `${LOSSES[loss]}, ${methodTitle(method)}`;
}

/** `CIFAR-10-LT, CE` */
export function rowTitle({ setting, loss }: Pick<ResultRow, 'setting' | 'loss'>): string {
  return `${setting.title}, ${LOSSES[loss]}`;
}

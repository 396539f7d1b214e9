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

/** `Table 2, scale “cpu”` */
export function tableTitle({ name, scale }: Pick<ResultTable, 'name' | 'scale'>): string {
  return `${TABLES[name]}, scale “${scale}”`;
}

/** `CE, one-hot` */
export function cellsTitle({ loss }: Pick<ResultRow, 'loss'>, method: string): string {
  return `${LOSSES[loss]}, ${method}`;
}

/** `CIFAR-10-LT, CE` */
export function rowTitle({ setting, loss }: Pick<ResultRow, 'setting' | 'loss'>): string {
  return `${setting.title}, ${LOSSES[loss]}`;
}

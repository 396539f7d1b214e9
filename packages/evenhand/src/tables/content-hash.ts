import { createHash } from 'node:crypto';
import type { TableDataset } from '../dataset/dataset.js';

/**
 * SHA-256, in hex, of all that training could see of a table: classes, labels, and the columns' names, kinds and values. How
 * a file writes false and true does not matter.
 * The column of groups is among them: it decides the split.
 */
export function tableContentHash({
  classNames,
  labels,
  columns: used,
  leftOut,
  group,
}: Pick<TableDataset, 'classNames' | 'labels' | 'columns' | 'leftOut' | 'group'>): string {
  const columns = [...used, ...leftOut.filter(({ name }) => name === group)];
  const described = columns.map((column) => [
    column.name,
    column.kind,
    column.kind === 'categorical' ? column.categories : null,
  ]);
  const hash = createHash('sha256')
    .update(JSON.stringify({ kind: 'table', instances: labels.length, classNames, columns: described }))
    .update(labels);
  for (const column of columns) hash.update('codes' in column ? column.codes : column.values);
  return hash.digest('hex');
}

import type { Metric } from '@evenhand/encoding';
import { sampleStatistics } from 'evenhand/evaluation';
import { NONE } from 'evenhand/report';

/** Cells of Markdown tables, as they are: nothing in them comes from outside. */
type MarkdownCell = string | number;

/** A table whose first column is text and the others numbers. */
export function markdownTable(header: readonly string[], rows: readonly (readonly MarkdownCell[])[]): string {
  const alignment = header.map((_, i) => (i === 0 ? '---' : '---:'));
  return [header, alignment, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** `57.7 ± 1.2`: mean and sample standard deviation. */
export function spreadText(values: readonly number[]): string {
  const { mean, deviation } = sampleStatistics(values);
  return `${mean.toFixed(1)} ± ${deviation?.toFixed(1) ?? NONE}`;
}

/** A difference with its sign and one decimal. */
export function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
}

/** A p-value with three decimals. */
export function pValue({ value }: Metric): string {
  return value?.toFixed(3) ?? NONE;
}

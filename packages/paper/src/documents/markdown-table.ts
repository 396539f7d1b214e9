/** Cells of Markdown tables, as they are: nothing in them comes from outside. */
type MarkdownCell = string | number;

/** A table whose first column is text and the others numbers. */
export function markdownTable(header: readonly string[], rows: readonly (readonly MarkdownCell[])[]): string {
  const alignment = header.map((_, i) => (i === 0 ? '---' : '---:'));
  return [header, alignment, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A difference with its sign and one decimal. */
export function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
}

/** Bins of their own that a column may have; what is missing has one more. */
export const LARGEST_BINS = 255;

/** The bin of missing values, and of categories that have no bin of their own. */
export const MISSING_BIN = 255;

/** A column of numbers: bin b holds what is above `edges[b - 1]` and at most `edges[b]`. */
export interface NumberColumn {
  readonly kind: 'number';
  /** Rising. */
  readonly edges: Float32Array;
  /** Whether values were missing when the bins were made: only then can a tree learn where they belong. */
  readonly missing: boolean;
}

/** A column of categories. Those that are rare, unknown or missing are all "none of these". */
export interface CategoryColumn {
  readonly kind: 'category';
  /** The category of every bin, the most frequent first. */
  readonly categories: Float32Array;
}

/** How the values of a column become bins. */
export type Column = NumberColumn | CategoryColumn;

/** Bins of a column below the missing one. */
export function binCount(column: Column): number {
  return column.kind === 'number' ? column.edges.length + 1 : column.categories.length;
}

/** The bin of a value of a column of numbers. */
export function numberBin(edges: Float32Array, value: number): number {
  if (Number.isNaN(value)) return MISSING_BIN;
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (value > (edges[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

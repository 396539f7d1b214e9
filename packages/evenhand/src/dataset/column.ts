/** What a column holds; enough to read the same column from another file. Plain data, kept with the model. */
export type ColumnType =
  | { readonly name: string; readonly kind: 'numeric' }
  /** Two texts, for false and true. */
  | { readonly name: string; readonly kind: 'boolean'; readonly texts: readonly [no: string, yes: string] }
  | { readonly name: string; readonly kind: 'categorical'; readonly categories: readonly string[] }
  | { readonly name: string; readonly kind: 'date' };

/** A column's values. Missing ones are NaN, or code −1. */
export type Column =
  /** `numeric`: the numbers. `date`: milliseconds since 1970, UTC. */
  | (Extract<ColumnType, { kind: 'numeric' | 'date' }> & { readonly values: Float64Array })
  /** Indices in `categories`, or 0 and 1 for false and true. */
  | (Extract<ColumnType, { kind: 'boolean' | 'categorical' }> & { readonly codes: Int32Array });

/** How many rows a column has. */
export function lengthOf(column: Column): number {
  return 'codes' in column ? column.codes.length : column.values.length;
}

/** One item for each element of a tuple: of `[x: Tensor, bias?: Tensor]` and `string`, `[x: string, bias?: string]`. */
export type Each<Tuple extends readonly unknown[], Item> = { readonly [Position in keyof Tuple]: Item };

/** A list that is known to hold one item for each element of another, as a tuple like that one. */
export function oneForEach<Tuple extends readonly unknown[], Item>(
  elements: Each<Tuple, unknown>,
  items: readonly Item[],
): Each<Tuple, Item> {
  if (!isOneForEach(elements, items)) {
    throw new Error(`internal: there are ${items.length} items; expected one for each of ${elements.length}`);
  }
  return items;
}

function isOneForEach<Tuple extends readonly unknown[], Item>(
  elements: Each<Tuple, unknown>,
  items: readonly Item[],
): items is Each<Tuple, Item> {
  return items.length === elements.length;
}

/** A measured value, or why there is none. An undefined metric is never 0. */
export type Metric = { readonly value: number } | { readonly value: null; readonly reason: string };

export function metric(value: number): Metric {
  return { value };
}

export function undefinedMetric(reason: string): Metric {
  return { value: null, reason };
}

/** `numerator / denominator`, undefined for the given reason where the denominator is 0. */
export function ratio(numerator: number, denominator: number, reason: string): Metric {
  return denominator === 0 ? undefinedMetric(reason) : metric(numerator / denominator);
}

/** `f(a, b)` of two metrics; undefined for the first reason that one of them has. */
export function combine(a: Metric, b: Metric, f: (a: number, b: number) => number): Metric {
  if (a.value === null) return a;
  if (b.value === null) return b;
  return metric(f(a.value, b.value));
}

/** Weighted mean of a metric of some items; the first reason where it is undefined for one, and `reason` where there is none. */
export function weightedMean<Item>(
  items: readonly Item[],
  metricOf: (item: Item) => Metric,
  weightOf: (item: Item) => number,
  reason: string,
): Metric {
  let sum = 0;
  let total = 0;
  for (const item of items) {
    const measured = metricOf(item);
    if (measured.value === null) return measured;
    const weight = weightOf(item);
    sum += weight * measured.value;
    total += weight;
  }
  return ratio(sum, total, reason);
}

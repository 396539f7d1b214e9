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

/** Weighted mean of metrics that are all defined; else the first reason. */
export function weightedMean(metrics: readonly Metric[], weights: readonly number[], reason: string): Metric {
  let sum = 0;
  let total = 0;
  for (const [i, item] of metrics.entries()) {
    if (item.value === null) return item;
    sum += (weights[i] ?? 0) * item.value;
    total += weights[i] ?? 0;
  }
  return ratio(sum, total, reason);
}

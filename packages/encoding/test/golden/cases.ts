import golden from './metrics.json' with { type: 'json' };

export const { cases, madeWith } = golden;

/** Labels, scores and training counts of a golden case: what scripts/golden_metrics.py draws from the same integers. */
export function drawCase(seed: number): { labels: number[]; scores: Float64Array; training: number[] } {
  const integer = integers(seed);
  const classes = seed % 8 === 0 ? 2 : 2 + integer(49);
  const instances = 5 + integer(150);
  const present = Math.max(seed % 40 === 0 ? 1 : 2, classes - integer(1 + Math.floor(classes / 2)));
  const skew = 1 + (seed % 3);
  const grain = seed % 5 === 0 ? 3 : 10000;
  const labels: number[] = [];
  const scores: number[] = [];
  for (let i = 0; i < instances; i++) {
    const draws = Array.from({ length: skew }, () => integer(present));
    const label = (Math.min(...draws) + seed) % classes;
    const row = Array.from({ length: classes }, () => 1 + integer(grain));
    row[label] = (row[label] ?? 0) + integer(2 * grain);
    const sum = row.reduce((a, b) => a + b);
    labels.push(label);
    scores.push(...row.map((weight) => weight / sum));
  }
  return {
    labels,
    scores: Float64Array.from(scores),
    training: Array.from({ length: classes }, () => 1 + integer(200)),
  };
}

function integers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % limit;
  };
}

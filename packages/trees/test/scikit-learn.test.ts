import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fit, predict } from '../src/index.js';
import { areaUnderCurve, balancedAccuracy, logLoss } from './metrics.js';
import { randomTable, type TableShape } from './random-table.js';

interface Golden extends TableShape {
  readonly weighted: boolean;
  readonly logLoss: number;
  readonly balancedAccuracy: number;
  readonly auc: number;
  readonly probabilities: readonly (readonly number[])[];
}

const golden: { readonly cases: Readonly<Record<string, Golden>> } = JSON.parse(
  readFileSync(new URL('./golden/scikit-learn.json', import.meta.url), 'utf8'),
);

describe.each(Object.entries(golden.cases))("scikit-learn's histogram gradient boosting: %s", (_, expected) => {
  const { classes } = expected;
  const train = randomTable(expected);
  const weights = Float32Array.from({ length: expected.rows }, (_, i) => 1 + (i % 4));
  const test = randomTable({ ...expected, seed: expected.seed + 1 });
  const { model } = fit(
    { ...train, ...(expected.weighted ? { weights } : {}) },
    { rounds: 40, leaves: 15, maximalLeafValue: Number.POSITIVE_INFINITY },
  );
  const probabilities = predict(model, test);

  it('log-loss, balanced accuracy and AUC are the same within noise', () => {
    const difference = logLoss(test.labels, probabilities, classes) / expected.logLoss - 1;
    expect(difference).toBeLessThan(0.01);
    // Of categories we try more divisions, and find better ones.
    expect(difference).toBeGreaterThan(expected.categories === 0 ? -0.01 : -0.05);
    expect(Math.abs(balancedAccuracy(test.labels, probabilities, classes) - expected.balancedAccuracy)).toBeLessThan(
      0.01,
    );
    expect(Math.abs(areaUnderCurve(test.labels, probabilities, classes) - expected.auc)).toBeLessThan(0.005);
  });

  // Where a split is a tie but for rounding, float32 and integers choose differently, and so does the other direction of a scan.
  it.runIf(expected.missing === 0)('every probability is the same', () => {
    const differences = expected.probabilities.flatMap((row, i) =>
      row.map((p, k) => Math.abs(p - (probabilities[i * classes + k] ?? Number.NaN))),
    );
    expect(Math.max(...differences)).toBeLessThan(1e-4);
  });
});

import { seededRandom } from '@evenhand/engine';
import { describe, expect, it } from 'vitest';
import { answersOf } from '../../src/decision/answer-rule.js';
import { balancedLosses } from '../../src/evaluation/balanced-log-loss.js';
import { balancedMean, classedRows } from '../../src/evaluation/balanced-mean.js';
import { columnImportance, recallDrops, rowChanges } from '../../src/evaluation/column-importance.js';
import { donorDrawer } from '../../src/training/importance/donors.js';
import { permutedRows } from '../../src/training/importance/permuted-rows.js';
import golden from '../golden/importance.json' with { type: 'json' };

describe(`permutation importance agrees with ${golden.madeWith}`, () => {
  const labels = Int32Array.from(golden.labels);
  const classes = Math.max(...golden.labels) + 1;
  const features = golden.weights.length;
  const inputs = Float32Array.from(golden.inputs.flat());
  const rows = classedRows(
    labels,
    classes,
    labels.map((_, row) => row),
  );

  function resultsOf(given: Float32Array, ofLabels = labels) {
    const probabilities = Float32Array.from({ length: ofLabels.length * classes }, (_, i) => {
      const row = given.subarray(Math.floor(i / classes) * features).subarray(0, features);
      const logits = Array.from({ length: classes }, (_, q) =>
        row.reduce((sum, value, f) => sum + value * (golden.weights[f]?.[q] ?? Number.NaN), 0),
      );
      const total = logits.reduce((sum, logit) => sum + Math.exp(logit), 0);
      return Math.exp(logits[i % classes] ?? Number.NaN) / total;
    });
    const answers = answersOf(null, probabilities, classes);
    return {
      losses: balancedLosses(ofLabels, probabilities, classes, new Float64Array(classes)),
      hits: Float64Array.from(ofLabels, (label, row) => (answers[row] === label ? 1 : 0)),
    };
  }

  it.each(golden.columns.map((column, index) => ({ ...column, index })))('column $index: $logLoss', (theirs) => {
    const rowOf = (row: number) => golden.inputs[row] ?? [];
    const donated = theirs.donors.map((donors) => Float32Array.from(donors.flatMap(rowOf)));
    const permuted = permutedRows(inputs, donated, features, [theirs.index]);
    const before = resultsOf(inputs);
    const changed = resultsOf(
      permuted.inputs,
      Int32Array.from(permuted.rows, (row) => labels[row] ?? -1),
    );
    const after = theirs.donors.map(() => ({ losses: before.losses.slice(), hits: before.hits.slice() }));
    for (const [i, row] of permuted.rows.entries()) {
      const results = after[permuted.permutations[i] ?? -1];
      if (results === undefined) throw new Error('every row is from one of the permutations');
      results.losses[row] = changed.losses[i] ?? Number.NaN;
      results.hits[row] = changed.hits[i] ?? Number.NaN;
    }
    const ours = columnImportance(rowChanges(before, after), rows);
    // Our probabilities are float32.
    expect(ours.logLossRise.value).toBeCloseTo(theirs.logLoss, 6);
    expect(ours.balancedAccuracyDrop.value).toBeCloseTo(theirs.balancedAccuracy, 12);
  });
});

describe('the interval of a mean over classes', () => {
  it('is that of a stratified sample: ± 1.96·√(1/C²·Σ s²/n)', () => {
    // Means 2 and 10, variances 1 and 8 of 3 and 2 rows.
    const values = Float64Array.of(1, 8, 2, 12, 3);
    const rows = classedRows(Int32Array.of(0, 1, 0, 1, 0), 3, Int32Array.of(0, 1, 2, 3, 4));
    const { value, interval } = balancedMean(values, rows);
    const reach = 1.959964 * Math.sqrt((1 / 3 + 8 / 2) / 4);
    expect(value).toBe(6);
    expect(interval?.low).toBeCloseTo(6 - reach, 5);
    expect(interval?.high).toBeCloseTo(6 + reach, 5);
  });

  it('does not shrink when every row is there four times: copies are no evidence', () => {
    const random = seededRandom(1, 'values');
    const values = Float64Array.from({ length: 400 }, random);
    const labels = Int32Array.from(values, (_, row) => row % 2);
    const widthOf = (copies: number) => {
      const repeated = Array.from({ length: copies }, () => [...values]).flat();
      const rows = classedRows(
        Int32Array.from(repeated, (_, i) => labels[i % 400] ?? -1),
        2,
        Int32Array.from(repeated, (_, i) => i % 400),
      );
      const { interval } = balancedMean(Float64Array.from(repeated), rows);
      return (interval?.high ?? 0) - (interval?.low ?? 0);
    };
    expect(widthOf(4) / widthOf(1)).toBeCloseTo(1, 2);
  });

  it('covers the truth in about 95 of 100 samples', () => {
    const random = seededRandom(2, 'coverage');
    const samples = 2000;
    let covered = 0;
    for (let sample = 0; sample < samples; sample++) {
      // Class 0: uniform with mean 0.5; class 1: 0 or 1 with mean 0.3. The mean over both is 0.4.
      const values = Float64Array.from({ length: 120 }, (_, row) => (row < 80 ? random() : Number(random() < 0.3)));
      const labels = Int32Array.from(values, (_, row) => (row < 80 ? 0 : 1));
      const { interval } = balancedMean(
        values,
        classedRows(
          labels,
          2,
          labels.map((_, row) => row),
        ),
      );
      if (interval !== null && interval.low <= 0.4 && interval.high >= 0.4) covered++;
    }
    expect(covered / samples).toBeGreaterThan(0.93);
    expect(covered / samples).toBeLessThan(0.97);
  });

  it('of noise covers 0 in about 95 of 100 tables, although networks learn from the rows that others are measured on', () => {
    const random = seededRandom(3, 'noise');
    const [tables, size, folds] = [400, 160, 8];
    let covered = 0;
    for (let table = 0; table < tables; table++) {
      const labels = Int32Array.from({ length: size }, (_, row) => (row % 4 === 0 ? 1 : 0));
      const foldOf = (row: number) => Math.floor(row / 4) % folds;
      const values = Float64Array.from(labels, () => random() + random() + random() - 1.5);
      const meanOf = (label: number, without: number) => {
        const own = [...values].filter((_, row) => labels[row] === label && foldOf(row) !== without);
        return own.reduce((sum, value) => sum + value, 0) / own.length;
      };
      // Of each fold, a logistic model whose weight is how far apart the means of the two classes are in the other folds.
      const weights = Array.from({ length: folds }, (_, fold) => meanOf(1, fold) - meanOf(0, fold));
      const loss = (row: number, value: number) =>
        Math.log1p(Math.exp((labels[row] === 1 ? -4 : 4) * (weights[foldOf(row)] ?? 0) * value));
      const all = labels.map((_, row) => row);
      const draw = donorDrawer(Int32Array.from(all, foldOf), all, random);
      const hits = new Float64Array(size);
      const before = { losses: Float64Array.from(all, (row) => loss(row, values[row] ?? 0)), hits };
      const after = Array.from({ length: 5 }, () => {
        const donors = draw();
        return { losses: Float64Array.from(all, (row) => loss(row, values[donors[row] ?? -1] ?? Number.NaN)), hits };
      });
      const { interval } = columnImportance(rowChanges(before, after), classedRows(labels, 2, all, folds)).logLossRise;
      if (interval !== null && interval.low <= 0 && interval.high >= 0) covered++;
    }
    expect(covered / tables).toBeGreaterThan(0.91);
  });

  it('is none where nothing changes, or where a class has one row', () => {
    const rows = classedRows(Int32Array.of(0, 0, 1), 3, Int32Array.of(0, 1, 2));
    const changes = { lossRises: new Float64Array(3), hitDrops: Float64Array.of(1, 0, 1) };
    const reason = 'the same for all rows: they cannot show a spread';
    expect(columnImportance(changes, rows).logLossRise).toEqual({ value: 0, interval: null, reason });
    const [first, second, third] = recallDrops(changes, rows);
    expect(first?.value).toBe(0.5);
    expect(second).toEqual({ value: 1, interval: null, reason });
    expect(third).toEqual({ value: null, interval: null, reason: 'no row of the class was measured' });
  });
});

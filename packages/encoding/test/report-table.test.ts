import { describe, expect, it } from 'vitest';
import { classificationReport, reportTable } from '../src/index.js';

describe('classification report', () => {
  // Three instances by hand: cat right, dog taken for cat, dog right, and no bird at all.
  const report = classificationReport([0, 1, 1], [0.75, 0.25, 0, 0.5, 0.25, 0.25, 0.25, 0.5, 0.25], {
    classes: ['cat', 'dog', 'bird'],
    trainingCounts: [500, 50, 5],
    topK: 2,
    minorityClasses: 2,
  });

  it('fault 23: is null with the reason where a class is absent', () => {
    const bird = report.perClass[2];
    for (const key of [
      'recall',
      'precision',
      'f1',
      'gMean',
      'indexBalancedAccuracy',
      'rocAuc',
      'averagePrecision',
    ] as const) {
      expect(bird?.[key]).toEqual({ value: null, reason: 'class bird has no instance' });
    }
    expect(bird?.specificity).toEqual({ value: 1 });
    expect(report.groups.few).toEqual({
      value: null,
      reason: 'no class with fewer than 20 training instances has an instance here',
    });
  });

  it('is null with the reason where a class is never predicted', () => {
    const { perClass, macro } = classificationReport([0, 1], [1, 0, 1, 0], { classes: 2 });
    expect(perClass[1]?.precision).toEqual({ value: null, reason: 'class 1 is never predicted' });
    expect(macro.precision).toEqual({ value: 0.25 }); // (1/2 + 0) / 2
  });

  it('has the values that follow by hand', () => {
    expect(report.accuracy).toBeCloseTo(2 / 3, 15);
    expect(report.topK).toEqual({ k: 2, accuracy: 1 });
    expect(report.balancedAccuracy).toBe(0.75);
    expect(report.gMean).toBeCloseTo(Math.sqrt(0.5), 15);
    expect(report.minority).toEqual({ classes: [2, 1], accuracy: { value: 0.5 } });
    expect(report.groups.many).toEqual({ value: 1 });
    expect(report.groups.medium).toEqual({ value: 0.5 });
    expect(report.confusionMatrix).toEqual([1, 0, 0, 1, 1, 0, 0, 0, 0]);
    // (1/16 + 1/16) + (1/4 + 9/16 + 1/16) + (1/16 + 1/4 + 1/16), over 3
    expect(report.brier.value).toBeCloseTo(1.375 / 3, 15);
  });

  it('has no calibration where scores are no probabilities', () => {
    const { brier, calibration, accuracy } = classificationReport([0, 1], [3, -1, 0.5, 2], { classes: 2 });
    const reason = 'the scores are not probabilities: row 0 is negative or does not sum to 1';
    expect(accuracy).toBe(1);
    expect(brier).toEqual({ value: null, reason });
    expect(calibration).toEqual({
      expectedError: { value: null, reason },
      maximumError: { value: null, reason },
      bins: [],
    });
  });

  it('counts the higher of equally rare classes as the rarer', () => {
    const { minority } = classificationReport([0], [1, 0, 0, 0], { classes: 4, trainingCounts: [5, 5, 9, 5] });
    expect(minority.classes).toEqual([3, 1]);
  });

  it('prints as a table with reasons below', () => {
    const lines = reportTable(report).split('\n');
    expect(lines[0]).toMatch(/^class +support +recall +precision +specificity +F1 +G-mean +IBA +ROC-AUC +AP$/);
    expect(lines[1]).toMatch(/^cat +1 +1\.000 +0\.500 +0\.500/);
    expect(lines[3]).toMatch(/^bird +0 +– +– +1\.000 +– +–/);
    expect(lines).toContainEqual(expect.stringMatching(/^balanced accuracy +0\.750$/));
    expect(lines.at(-1)).toBe('– no class with fewer than 20 training instances has an instance here');
    expect(lines).toContain('– class bird has no instance');
    const widths = new Set(lines.slice(0, 4).map((line) => [...line].length));
    expect(widths.size).toBe(1);
  });

  it('keeps long names and control characters from breaking the table', () => {
    const name = `line\nbreak\u001b[31m${'x'.repeat(200)}`;
    const table = reportTable(classificationReport([0, 1], [1, 0, 1, 0], { classes: [name, '🦜'] }));
    expect(table.split('\n')[1]).toMatch(/^line break \[31mx+… /);
    expect(table).not.toContain('\u001b');
  });
});

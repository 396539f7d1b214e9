import { describe, expect, it } from 'vitest';
import { LOSS_NAMES, PAPER_METHODS, PAPER_TABLE_NAMES, settingOf, TABLES } from '../../src/tables/tables.js';

/** `mean ± deviation` as the paper prints them, method after method. */
function printed(numbers: ReturnType<typeof settingOf>['paper']['ce']['top1']): string {
  if (numbers === undefined) return '';
  return PAPER_METHODS.map((method) => {
    const { mean, deviation } = numbers[method];
    return deviation === null ? mean.toFixed(2) : `${mean.toFixed(2)}±${deviation.toFixed(2)}`;
  }).join(' ');
}

describe("the paper's numbers", () => {
  it('are those of Table 1', () => {
    const top1 = (setting: 'even' | 'long-tail') =>
      LOSS_NAMES.map((loss) => printed(settingOf('table1', setting).paper[loss].top1));
    expect(top1('even')).toEqual([
      '97.82±0.03 97.92 97.89 97.99±0.06',
      '97.75±0.04 97.85 97.91 98.00±0.03',
      '98.06±0.04 98.21 98.32 98.54±0.13',
    ]);
    expect(top1('long-tail')).toEqual([
      '92.12±0.56 92.56 92.61 92.78±0.26',
      '89.14±0.13 90.95 90.65 91.43±0.27',
      '91.56±0.32 91.80 91.87 93.34±0.61',
    ]);
  });

  it('are those of Table 2, its ablations among them', () => {
    const { paper } = settingOf('table2', 'cifar10-lt');
    expect(printed(paper.ce.top1)).toBe('65.23±0.75 69.55 65.98 69.89±0.89');
    expect(printed(paper.ce.minority)).toBe('47.34±1.56 52.38 49.48 55.75±1.73');
    expect(printed(paper.mse.minority)).toBe('49.84±1.01 50.62 50.22 51.59±1.17');
    expect(printed(paper.fl.top1)).toBe('67.33±0.35 68.10 69.49 69.94±0.79');
  });

  it('are those of Table 3, its ablations among them', () => {
    const { paper } = settingOf('table3', 'caltech101');
    expect(printed(paper.mse.top1)).toBe('54.66±0.48 57.03 54.75 57.16±0.87');
    expect(printed(paper.ce.top5)).toBe('77.45±1.56 80.15 78.42 79.50±0.41');
    expect(printed(paper.fl.minority)).toBe('42.34±1.61 42.70 46.10 46.82±1.43');
  });

  it('are there for every metric that a table reports, and for no other', () => {
    for (const name of PAPER_TABLE_NAMES) {
      const { metrics, settings } = TABLES[name];
      for (const { paper } of settings) {
        for (const loss of LOSS_NAMES) expect(Object.keys(paper[loss])).toEqual(metrics);
      }
    }
  });
});

import { describe, expect, it } from 'vitest';
import type { CellResult } from '../../src/results/cell-result.js';
import { CIFAR_CE, LONG_TAIL_CE, longTail, resultLine, softConfusion } from './results.js';
import { written } from './written-page.js';

describe('statements', () => {
  /** The line of a statement. */
  async function statement(lines: readonly CellResult[], part: string): Promise<string | undefined> {
    return (await written(lines)).markdown.split('\n').find((line) => line.startsWith('- **') && line.includes(part));
  }

  /** A method on CIFAR-10-LT whose matrix has this in the first two and in the last five rows. */
  function confused(method: CellResult['method'], majority: number, minority: number): CellResult {
    const diagonal = Array.from({ length: 10 }, (_, p) => (p < 2 ? majority : p < 5 ? 0.7 : minority));
    return resultLine({ ...CIFAR_CE, method }, { softConfusion: softConfusion(diagonal) });
  }

  it('compares what the rarest classes lose to the largest', async () => {
    // What is missing on the diagonal of classes 8 and 9 goes to class 0.
    const lines = [confused('one-hot', 0.9, 0.4), confused('cost-sensitiveness', 0.9, 0.55)];
    expect(await statement(lines, 'CIFAR-10-LT, CE: with cost-sensitiveness')).toMatch(
      /^- \*\*agrees so far:\*\* .*: one-hot 60\.00, cost-sensitiveness 45\.00 \(1 seed\)\.$/,
    );
    const worse = [confused('one-hot', 0.9, 0.4), confused('cost-sensitiveness', 0.9, 0.3)];
    expect(await statement(worse, 'CIFAR-10-LT, CE: with cost-sensitiveness')).toMatch(/^- \*\*disagrees so far:/);
  });

  it.each([
    ['agrees so far', 0.88, 0.5, '−2.00', '+10.00'],
    ['partly', 0.7, 0.5, '−20.00', '+10.00'],
    ['disagrees so far', 0.95, 0.35, '+5.00', '−5.00'],
  ])(
    'weighs the change of the largest classes against the rarest: %s',
    async (verdict, majority, minority, lost, won) => {
      const lines = [confused('one-hot', 0.9, 0.4), confused('enhancement', majority, minority)];
      const found = await statement(lines, 'CIFAR-10-LT, CE: enhancement may cost');
      expect(found).toContain(`**${verdict}:**`);
      expect(found).toContain(`${lost} points in the two largest classes, ${won} in the five rarest (1 seed).`);
    },
  );

  it('agrees only so far where rows are missing', async () => {
    expect(await statement(longTail([89, 90], [91, 93]), 'Table 1, scale “paper”: with each')).toBe(
      '- **agrees so far:** Table 1, scale “paper”: with each of the losses, enhancement is ahead of one-hot (top-1). → ' +
        'Ahead in 1 of 1 row (5 others cannot be told yet), by +2.50 points (the paper: +0.17 to +2.29); p &lt; 0.05 in the t-test in 0.',
    );
  });

  it('calls a higher minority accuracy much higher beyond two deviations of one-hot', async () => {
    const cells = (method: 'one-hot' | 'enhancement', values: readonly number[]) =>
      values.map((minority, seed) => resultLine({ ...CIFAR_CE, method, seed }, { minority }));
    const claim = 'Table 2, scale “cpu”: the minority accuracy';
    const oneHot = cells('one-hot', [0.4, 0.42]); // SD 1.41 points
    expect(await statement([...oneHot, ...cells('enhancement', [0.45, 0.47])], claim)).toContain('**agrees so far:**');
    expect(await statement([...oneHot, ...cells('enhancement', [0.42, 0.44])], claim)).toContain('**partly:**');
    expect(await statement([...oneHot, ...cells('enhancement', [0.39, 0.41])], claim)).toContain(
      '**disagrees so far:**',
    );
  });

  it('counts how often the ablations are ahead of one-hot', async () => {
    const lines = [
      ...longTail([90], []),
      resultLine({ ...LONG_TAIL_CE, method: 're-weighting' }, { top1: 0.91 }),
      resultLine({ ...LONG_TAIL_CE, method: 'cost-sensitiveness' }, { top1: 0.89 }),
    ];
    expect(await statement(lines, 're-weighting alone')).toContain('**agrees so far:**');
    // Of the paper's 21 numbers, all but Caltech's top-5 with MSE and minority with CE.
    expect(await statement(lines, 'cost-sensitiveness alone')).toMatch(
      /^- \*\*disagrees so far:.*in 0 of 1 comparisons, .* in the paper in 19 of 21\.$/,
    );
  });

  it('counts both scales of a table, and waits for all seeds', async () => {
    const lines = (scale: 'cpu' | 'paper', top1: number) =>
      (['mse', 'ce', 'fl'] as const).flatMap((loss) => [
        resultLine({ ...CIFAR_CE, scale, loss, method: 'one-hot' }, { top1: 0.5, minority: 0.4 }),
        resultLine({ ...CIFAR_CE, scale, loss, method: 're-weighting' }, { top1, minority: top1 - 0.1 }),
      ]);
    const found = await statement([...lines('cpu', 0.6), ...lines('paper', 0.4)], 're-weighting alone');
    expect(found).toMatch(/^- \*\*disagrees so far:.*in 6 of 12 comparisons.*in the paper in \d+ of 21\.$/);
  });

  it('says nothing about the paper’s figures on account of other data', async () => {
    expect(await statement(longTail([90], [91]), 'MNIST, long tail, CE: enhancement may cost')).toBeUndefined();
  });

  it('compares over the seeds that both methods have', async () => {
    const claim = 'Table 1, scale “paper”: in every row';
    const lines = longTail([90, 94, 94], [91]);
    expect(await statement(lines, claim)).toContain('ahead of one-hot in 1 of 1');
  });

  it('has not agreed before all seeds of all rows are there', async () => {
    const claim = 'Table 2, scale “cpu”: with each of the losses, enhancement is ahead of one-hot (top-1)';
    const lines = (seeds: number) =>
      (['mse', 'ce', 'fl'] as const).flatMap((loss) =>
        Array.from({ length: seeds }, (_, seed) => seed).flatMap((seed) => [
          resultLine({ ...CIFAR_CE, loss, method: 'one-hot', seed }, { top1: 0.6 }),
          resultLine({ ...CIFAR_CE, loss, method: 'enhancement', seed }, { top1: 0.7 }),
        ]),
      );
    expect(await statement(lines(4), claim)).toContain('**agrees so far:**');
    expect(await statement(lines(5), claim)).toContain('**agrees:**');
  });

  it('sums the verdicts up at the top', async () => {
    // Of Table 1, ahead of one-hot so far, but not the best of the four; re-weighting is ahead, cost-sensitiveness is not.
    const { markdown } = await written([
      ...longTail([90], [91]),
      resultLine({ ...LONG_TAIL_CE, method: 're-weighting' }, { top1: 0.92 }),
      resultLine({ ...LONG_TAIL_CE, method: 'cost-sensitiveness' }, { top1: 0.89 }),
    ]);
    expect(markdown).toMatch(
      /Of \d+ statements of the paper’s about its results, 4 were measured\. Our numbers agree with 2, in part with 0, and disagree with 2; of 4 of these verdicts, rows or seeds are still missing\./,
    );
  });
});

import { describe, expect, it } from 'vitest';
import type { CellResult } from '../../src/results/cell-result.js';
import type { CellKey } from '../../src/tables/cells.js';
import { evenClasses, LONG_TAIL_CE, longTail, resultLine, softConfusion, wholeTable2 } from './results.js';
import { written } from './written-page.js';

/** The line of a statement. */
async function statement(lines: readonly CellResult[], part: string): Promise<string | undefined> {
  return (await written(lines)).markdown.split('\n').find((line) => line.startsWith('- **') && line.includes(part));
}

/** Differs from seed to seed by a little, and by more for enhancement, so that differences have a deviation. */
const noise = ({ method, seed }: CellKey) => (seed % 3) * (method === 'enhancement' ? 0.002 : 0.001);

describe('a statement about every row', () => {
  const claim = 'Table 2, scale “cpu”: with each of the losses, enhancement is ahead of one-hot (top-1)';
  const table = (gains: Partial<Record<CellKey['loss'], number>>) =>
    wholeTable2((key) => ({
      top1: 0.6 + noise(key) + (key.method === 'enhancement' ? (gains[key.loss] ?? 0) : 0),
      minority: 0.4 + noise(key) + (key.method === 'enhancement' ? (gains[key.loss] ?? 0) : 0),
    }));

  it('agrees where every row is ahead by more than chance, after the correction', async () => {
    // Differences of 10, 10.1 and 10.2 points: t = 175 with two degrees of freedom.
    expect(await statement(table({ mse: 0.1, ce: 0.1, fl: 0.1 }), claim)).toMatch(
      /^- \*\*agrees:\*\* .* → Ahead in 3, behind in 0, cannot tell in 0 of 3 rows; differences of \+10\.08 to \+10\.10 /,
    );
  });

  it('cannot tell where one row may be chance', async () => {
    expect(await statement(table({ mse: 0.1, ce: 0.1, fl: 0 }), claim)).toMatch(
      /^- \*\*cannot tell:\*\* .* → Ahead in 2, behind in 0, cannot tell in 1 of 3 rows/,
    );
  });

  it('disagrees where one row is behind by more than chance', async () => {
    expect(await statement(table({ mse: 0.1, ce: 0.1, fl: -0.1 }), claim)).toContain('**disagrees:**');
  });

  it('gets no verdict before all planned rows and seeds are there', async () => {
    const lines = table({ mse: 0.1, ce: 0.1, fl: 0.1 });
    for (const missing of ['re-weighting', 'enhancement'] as const) {
      const partial = lines.filter(({ loss, method, seed }) => loss !== 'fl' || method !== missing || seed !== 2);
      expect(await statement(partial, claim)).toContain('**no verdict, the table is incomplete:**');
      expect((await written(partial)).markdown).toContain(
        '**This table is incomplete:** planned rows or seeds are missing',
      );
    }
    expect(await statement(longTail([89, 90], [91, 93]), 'Table 1, scale “paper”: with each')).toBe(
      '- **no verdict, the table is incomplete:** Table 1, scale “paper”: with each of the losses, enhancement is ahead of one-hot (top-1). → ' +
        'Ahead in 0, behind in 0, cannot tell in 1 of 1 row (5 others not run); differences of +2.50 percentage points (the paper: +0.17 to +2.29).',
    );
  });

  it('calls a higher minority accuracy much higher beyond two deviations of one-hot', async () => {
    const minority = 'Table 2, scale “cpu”: the minority accuracy';
    // One-hot’s deviation over seeds is 0.1 points, with cross-entropy a little less.
    expect(await statement(table({ mse: 0.1, ce: 0.1, fl: 0.1 }), minority)).toContain('**agrees:**');
    const little = wholeTable2((key) => ({
      minority: 0.4 + key.seed * 0.1 + (key.method === 'enhancement' ? 0.05 + noise(key) : 0),
    }));
    expect(await statement(little, minority)).toContain('**cannot tell:**');
  });

  it('compares enhancement with each of the other three', async () => {
    const best = 'Table 2, scale “cpu”: in every row, enhancement is the best of the four methods (top-1)';
    expect(await statement(table({ mse: 0.1, ce: 0.1, fl: 0.1 }), best)).toMatch(
      /\*\*agrees:.*Against one-hot ahead in 3, .* of 3 rows; against re-weighting ahead in 3,.* against cost-sensitiveness ahead in 3,/,
    );
  });
});

it('most rows and metrics decide about the ablations, table by table', async () => {
  const lines = wholeTable2((key) => ({
    top1: 0.6 + key.seed * 0.01 + (key.method === 're-weighting' ? 0.05 + noise(key) + key.seed * 0.001 : 0),
    minority: 0.4 + key.seed * 0.01 + (key.method === 're-weighting' ? 0.05 + key.seed * 0.001 : 0),
  }));
  expect(await statement(lines, 'Table 2, scale “cpu”: re-weighting alone')).toMatch(
    /^- \*\*agrees:.*Ahead in 6, behind in 0, cannot tell in 0 of 6 comparisons, .*; in the paper a higher mean in 6 of 6\.$/,
  );
  expect(await statement(lines, 'Table 2, scale “cpu”: cost-sensitiveness alone')).toContain('**cannot tell:**');
});

describe('statements about the soft-confusion matrices', () => {
  /** Matrices with this in the first two and in the last five rows, other numbers seed by seed. */
  const table = (diagonals: Partial<Record<CellKey['method'], readonly [majority: number, minority: number]>>) =>
    wholeTable2(({ method, seed }) => {
      const [majority, minority] = diagonals[method] ?? [0.9, 0.4];
      const isOther = diagonals[method] !== undefined;
      const diagonal = Array.from({ length: 10 }, (_, p) => (p < 2 ? majority : p < 5 ? 0.7 : minority));
      return { softConfusion: softConfusion(diagonal.map((own) => own + (isOther ? seed * 0.001 : 0))) };
    });

  it.each([
    ['agrees', 0.88, 0.5],
    ['cannot tell', 0.7, 0.5],
    ['disagrees', 0.95, 0.35],
  ])('weigh the change of the largest classes against the rarest: %s', async (verdict, majority, minority) => {
    const lines = table({ enhancement: [majority, minority] });
    expect(await statement(lines, 'CIFAR-10-LT, CE: enhancement may cost')).toContain(`**${verdict}:**`);
  });

  it('compare what the rarest classes lose to the largest', async () => {
    // What is missing on the diagonal of classes 8 and 9 goes to class 0: 60 % with one-hot; 45 %, 44.9 … with the other.
    expect(await statement(table({ 'cost-sensitiveness': [0.9, 0.55] }), 'CE: with cost-sensitiveness')).toMatch(
      /^- \*\*agrees:\*\* .*: one-hot 60\.00, cost-sensitiveness 44\.90; less by \+15\.10 \\\[14\.85, 15\.35\\\] \(3 seeds\)\.$/,
    );
    expect(await statement(table({ 'cost-sensitiveness': [0.9, 0.3] }), 'CE: with cost-sensitiveness')).toContain(
      '**disagrees:**',
    );
  });

  it('are about the paper’s data alone', async () => {
    expect(await statement(longTail([90], [91]), 'MNIST, long tail, CE: enhancement may cost')).toBeUndefined();
  });
});

it('compares over the seeds that both methods have', async () => {
  const { markdown } = await written(longTail([90, 94, 94], [91]));
  expect(markdown).toContain('| MNIST, long tail, CE | top-1 | +1.00 | +2.29 | 1 |');
});

it('sums the verdicts up at the top', async () => {
  const { markdown } = await written([
    ...longTail([90], [91]),
    ...evenClasses([98], [98]),
    resultLine({ ...LONG_TAIL_CE, method: 're-weighting' }, { top1: 0.92 }),
  ]);
  expect(markdown).toMatch(
    /Of the paper’s \d+ statements about its results, we measured 3\. Our numbers agree with 0 and disagree with 0; for 0 we cannot tell; 3 are about incomplete tables and get no verdict\./,
  );
});

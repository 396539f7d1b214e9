import { expect, it } from 'vitest';
import type { CellResult } from '../../src/results/cell-result.js';
import { evenClasses, LONG_TAIL_CE, longTail, resultLine, wholeTable2 } from './results.js';
import { written } from './written-page.js';

/** The section for readers who have two minutes. */
async function summaryOf(lines: readonly CellResult[]): Promise<string> {
  const { markdown } = await written(lines);
  return markdown.split('## In two minutes\n')[1]?.split('\n## ')[0] ?? '';
}

it('shows cross-entropy, top-1 and the rarer half of the classes, with interval, corrected p and verdict', async () => {
  // Enhancement gains 4, 5 and 6 points and the same again in top-1 of cross-entropy: mean 4.8, SD 0.837, t = 12.8 with four degrees of freedom.
  // Of six comparisons the others have no p: their differences are all 0.
  const summary = await summaryOf(
    wholeTable2(({ loss, method, seed }) => ({
      top1: loss === 'ce' && method === 'enhancement' ? 0.64 + 0.01 * (seed % 3) : 0.6,
      minority: 0.4,
    })),
  );
  expect(summary).toContain(
    '| CIFAR-10-LT, top-1 | 5 | 60.00 | 64.80 | +4.80 \\[3.76, 5.84\\] | < 0.001 | yes | 65.23 → 69.89 |'.replace(
      '<',
      '&lt;',
    ),
  );
  expect(summary).toContain(
    '| CIFAR-10-LT, accuracy of the rarer half of the classes | 5 | 40.00 | 40.00 | 0.00 | – | cannot tell | 47.34 → 55.75 |',
  );
  expect(summary).toContain(
    'Of the 2 rows of complete tables, enhancement is ahead, as in the paper, in 1 and behind in 0; in 1 ',
  );
});

it('says that a table is incomplete, and what it would need', async () => {
  const summary = await summaryOf([...longTail([89, 90, 91], [90, 92, 94]), ...evenClasses([98], [98])]);
  expect(summary).toMatch(
    /\| MNIST, long tail, top-1 \| 3 \| 90\.00 \| 92\.00 \| .* \| table is incomplete \| 89\.14 → 91\.43 \|/,
  );
  expect(summary).toContain('Of the 0 rows of complete tables');
  expect(summary).toContain('2 more rows belong to incomplete tables, which get no verdict yet');
  expect(summary).toContain(
    'in which every method may train on the held-out images has not been run for these rows yet',
  );
  expect(await summaryOf([])).toContain('No row has both one-hot and enhancement yet.');
});

it('tells what is left where everybody gets the held-out images', async () => {
  const lines = (method: CellResult['method'], values: readonly number[]) =>
    values.map((top1, seed) => resultLine({ ...LONG_TAIL_CE, method, seed }, { top1: top1 / 100 }));
  const summary = await summaryOf([
    ...longTail([89, 90, 91], [90, 92, 94]),
    ...lines('one-hot-all-images', [92, 92.5, 93]),
    ...lines('enhancement-given-back', [93, 94.5, 96]),
    ...lines('logit-adjustment-all-images', [94, 95.5, 97]),
  ]);
  // Differences 1, 2, 3 and 2, 3, 4.
  expect(summary).toContain(
    'its gain is +2.00 \\[−0.48, 4.48\\], logit adjustment +3.00 \\[0.52, 5.48\\] (MNIST, long tail).',
  );
});

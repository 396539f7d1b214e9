import { describe, expect, it } from 'vitest';
import { keptCounts } from '../../../src/splits/imbalance/imbalance-profile.js';
import { legacySelection } from '../../../src/splits/imbalance/legacy-selection.js';
import { mt19937 } from '../../../src/splits/imbalance/mt19937.js';
import golden from '../../golden/legacy-random.json' with { type: 'json' };

/** How far the golden file's late words are into the stream: past the second twist. */
const LATE = 1300;

const sum = (numbers: Iterable<number>) => Array.from(numbers).reduce((total, number) => total + number, 0);

describe(`the Mersenne Twister gives the words of ${golden.madeWith}`, () => {
  it.each(golden.words)('for seed $seed', ({ seed, first, late }) => {
    const words = mt19937(seed);
    const drawn = Array.from({ length: LATE + late.length }, words);
    expect(drawn.slice(0, first.length)).toEqual(first);
    expect(drawn.slice(LATE)).toEqual(late);
  });
});

describe(`the legacy selection is that of ${golden.madeWith}`, () => {
  it.each(golden.small)('for seed $seed and small classes', ({ seed, sizes, kept, ranks }) => {
    expect(legacySelection(sizes, kept, seed).map((own) => Array.from(own))).toEqual(ranks);
  });

  it.each(golden.cifar10)("for seed $seed and CIFAR-10's classes", ({ seed, sizes, kept, classes }) => {
    const selected = legacySelection(sizes, kept, seed).map((own) => ({
      first: Array.from(own.subarray(0, 6)),
      sum: sum(own),
      weighted: sum(own.map((rank, index) => (index + 1) * rank)),
    }));
    expect(selected).toEqual(classes);
  });
});

describe('CIFAR-10-LT', () => {
  const sizes = new Array<number>(10).fill(5000);
  const counts = keptCounts({ kind: 'cifar10-lt' }, sizes);

  it('has the counts that everybody uses', () => {
    expect(counts).toEqual([5000, 2997, 1796, 1077, 645, 387, 232, 139, 83, 50]);
    expect(sum(counts)).toBe(12_406);
  });

  // First six ranks within the class and the sum of all, published with the method's description.
  it.each([
    [1, [597, 332, 521, 3935, 4800, 1102], 7_517_660],
    [8, [1905, 4623, 1694, 4227, 2715, 3889], 202_341],
    [9, [2204, 3816, 2206, 2507, 1926, 4765], 129_276],
  ])('selects the images of LDAM-DRW in class %i', (p, first, total) => {
    const ranks = legacySelection(sizes, counts, 0)[p] ?? new Int32Array();
    expect(Array.from(ranks.subarray(0, 6))).toEqual(first);
    expect(sum(ranks)).toBe(total);
  });
});

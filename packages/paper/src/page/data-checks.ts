import type { SettingName } from '../tables/tables.js';
import type { ResultTable } from './results.js';

/** Whether the images of a run are those that the paper describes. */
export interface DataCheck {
  readonly expected: string;
  readonly found: string;
  readonly holds: boolean;
}

/** Training images of MNIST's classes. */
const MNIST = [5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949];

const longTail = (counts: readonly number[]): DataCheck => ({
  expected: 'MNIST, long tail: ⌈n/2ᵖ⌉ − 5 training images of class p',
  ...formula(counts, (n, p) => Math.ceil(n / 2 ** p) - 5),
});

const CHECKS: Readonly<Record<SettingName, (counts: readonly number[]) => DataCheck>> = {
  even: (counts) => ({
    expected: 'MNIST, 10 % of even classes: ⌈n/10⌉ − 10 training images of even and n − 10 of odd classes',
    ...formula(counts, (n, p) => Math.ceil(n / (p % 2 === 0 ? 10 : 1)) - 10),
  }),
  'long-tail': longTail,
  vit: longTail,
  eanet: longTail,
  'cifar10-lt': (counts) => ({
    expected: 'CIFAR-10-LT: an imbalance factor of 100',
    ...factor(counts, { aside: 5, asideText: 'validation', expected: '100.00' }),
  }),
  caltech101: (counts) => ({
    expected: 'Caltech 101: 8,677 images of 101 classes, an imbalance factor of 25.81',
    ...factor(counts, { aside: 25, asideText: 'validation and test', expected: '25.81', images: 8677 }),
  }),
};

/** The images of everything that was run in the published protocol, against the paper's text. */
export function dataChecks(tables: readonly ResultTable[]): DataCheck[] {
  const cells = tables
    .flatMap(({ rows }) => rows.flatMap((row) => row.cells))
    .filter(({ config }) => config.data.giveBack === 1);
  const countsOf = new Map(cells.map(({ setting, trainingCounts }) => [setting, trainingCounts]));
  return Array.from(countsOf, ([setting, counts]) => CHECKS[setting](counts));
}

type Finding = Pick<DataCheck, 'found' | 'holds'>;

function formula(counts: readonly number[], expected: (n: number, p: number) => number): Finding {
  const right = MNIST.filter((n, p) => counts[p] === expected(n, p)).length;
  return {
    found: `${right} of ${MNIST.length} classes have this number: ${counts.join(', ')}`,
    holds: right === MNIST.length && counts.length === right,
  };
}

/** Every class has some images set aside; the paper counts them with the others. */
interface Expected {
  readonly aside: number;
  readonly asideText: string;
  readonly expected: string;
  readonly images?: number;
}

function factor(counts: readonly number[], { aside, asideText, expected, images }: Expected): Finding {
  const all = counts.map((count) => count + aside);
  const sum = all.reduce((a, b) => a + b, 0);
  const [most, fewest] = [Math.max(...all), Math.min(...all)];
  const found = (most / fewest).toFixed(2);
  return {
    found: `${sum.toLocaleString('en-GB')} images of ${counts.length} classes, with the ${asideText} images; ${most}/${fewest} = ${found}`,
    holds: found === expected && (images === undefined || images === sum),
  };
}

import type { SettingName } from '../tables.js';
import type { ResultTable } from './results.js';
import type { Statement } from './statement.js';

/** Training images of MNIST's classes. */
const MNIST = [5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949];

/** What the paper's text says about the data sets. */
export function dataStatements(tables: readonly ResultTable[]): Statement[] {
  const rows = tables.flatMap((table) => table.rows);
  const countsOf = (name: SettingName) =>
    rows.filter(({ setting }) => setting.name === name).flatMap(({ cells }) => cells)[0]?.trainingCounts;
  return [
    {
      claim: 'MNIST, 10 % of even classes: ⌈n/10⌉ − 10 training images of even and n − 10 of odd classes.',
      ...formula(countsOf('even'), (n, p) => Math.ceil(n / (p % 2 === 0 ? 10 : 1)) - 10),
    },
    {
      claim: 'MNIST, long tail: ⌈n/2ᵖ⌉ − 5 training images of class p.',
      ...formula(countsOf('long-tail'), (n, p) => Math.ceil(n / 2 ** p) - 5),
    },
    {
      claim: 'CIFAR-10-LT has an imbalance factor of 100.',
      ...factor(countsOf('cifar10-lt'), { aside: 5, asideText: 'validation', expected: '100.00' }),
    },
    {
      claim: 'Caltech 101 has 8,677 images of 101 classes and an imbalance factor of 25.81.',
      ...factor(countsOf('caltech101'), {
        aside: 25,
        asideText: 'validation and test',
        expected: '25.81',
        images: 8677,
      }),
    },
  ];
}

type Finding = Pick<Statement, 'measured' | 'verdict'>;

const NOT_RUN: Finding = { measured: 'Nothing was run.', verdict: 'not measured' };

function formula(counts: readonly number[] | undefined, expected: (n: number, p: number) => number): Finding {
  if (counts === undefined) return NOT_RUN;
  const right = MNIST.filter((n, p) => counts[p] === expected(n, p)).length;
  return {
    measured: `${right} of ${MNIST.length} classes have this number: ${counts.join(', ')}.`,
    verdict: right === MNIST.length && counts.length === right ? 'agrees' : 'disagrees',
  };
}

/** Every class has some images set aside; the paper counts them with the others. */
interface Expected {
  readonly aside: number;
  readonly asideText: string;
  readonly expected: string;
  readonly images?: number;
}

function factor(counts: readonly number[] | undefined, { aside, asideText, expected, images }: Expected): Finding {
  if (counts === undefined) return NOT_RUN;
  const all = counts.map((count) => count + aside);
  const sum = all.reduce((a, b) => a + b, 0);
  const [most, fewest] = [Math.max(...all), Math.min(...all)];
  const found = (most / fewest).toFixed(2);
  return {
    measured: `${sum.toLocaleString('en-GB')} images of ${counts.length} classes, with the ${asideText} images; ${most}/${fewest} = ${found}.`,
    verdict: found === expected && (images === undefined || images === sum) ? 'agrees' : 'disagrees',
  };
}

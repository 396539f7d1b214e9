import { GENERATORS, type GeneratorName, type Instance, randomNumbers } from './generators.js';

/** What happens to the frequencies of the classes. */
export const CHANGES = ['steady', 'drifting', 'swapped'] as const;

type Change = (typeof CHANGES)[number];

/** A stream of a generator. */
export interface MadeStream {
  readonly kind: 'made';
  readonly name: string;
  readonly generator: GeneratorName;
  /** The most frequent class has so many times as many rows as the rarest. */
  readonly ratio: number;
  readonly change: Change;
}

/** A table as a stream, its rows in random order. */
interface TableStream {
  readonly kind: 'table';
  readonly name: string;
  /** A file in the folder of tables. */
  readonly file: string;
}

export type ComparedStream = MadeStream | TableStream;

/** Rows of a made stream. */
const ROWS = 10_000;

const RATIOS = [20, 100];
const TABLES = ['mammography', 'page-blocks', 'ann-thyroid'];

const made = Object.keys(GENERATORS).flatMap((name) =>
  RATIOS.flatMap((ratio) => CHANGES.map((change) => ({ name, ratio, change }))),
);

/** All streams of the comparison. */
export const STREAMS: readonly ComparedStream[] = [
  ...made.flatMap(({ name, ratio, change }): MadeStream[] =>
    isGenerator(name) ? [{ kind: 'made', name: `${name} 1:${ratio} ${change}`, generator: name, ratio, change }] : [],
  ),
  ...TABLES.map((name): TableStream => ({ kind: 'table', name, file: `${name}.csv` })),
];

function isGenerator(name: string): name is GeneratorName {
  return Object.hasOwn(GENERATORS, name);
}

/** Shares of the classes that fall by the same factor from one to the next. */
function sharesOf(classes: number, ratio: number): number[] {
  const weights = Array.from({ length: classes }, (_, p) => ratio ** (-p / (classes - 1)));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** The shares where the stream stands: those of the beginning; halfway on the way to the opposite; or the opposite from the middle on. */
export function sharesAt({ generator, ratio, change }: MadeStream, progress: number): number[] {
  const first = sharesOf(GENERATORS[generator].classes, ratio);
  const last = [...first].reverse();
  if (change === 'steady') return first;
  if (change === 'swapped') return progress < 0.5 ? first : last;
  return first.map((share, p) => (1 - progress) * share + progress * (last[p] ?? 0));
}

/**
 * The rows of a stream: a class is drawn by the shares of the moment, and then instances until one is of it.
 *
 * @param rows - how many
 */
export function drawStream(stream: MadeStream, seed: number, rows = ROWS): Instance[] {
  const random = randomNumbers(seed);
  const next = GENERATORS[stream.generator].begin(random);
  return Array.from({ length: rows }, (_, row) => {
    const progress = row / rows;
    const shares = sharesAt(stream, progress);
    let [label, left] = [0, random()];
    while (label < shares.length - 1 && left >= (shares[label] ?? 0)) left -= shares[label++] ?? 0;
    for (;;) {
      const instance = next(progress);
      if (instance.label === label) return instance;
    }
  });
}

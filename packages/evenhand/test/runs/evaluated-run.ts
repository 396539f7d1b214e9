import { parseConfig } from '../../src/config/parse.js';
import type { ConfigInput } from '../../src/config/schema.js';
import { evaluate } from '../../src/evaluation/evaluate.js';
import type { ComparedRun } from '../../src/runs/compare-groups.js';

/** What a run is to look like. */
export interface RunOutline {
  readonly folder?: string;
  readonly config?: Partial<ConfigInput>;
  /** `confusion[p][q]`: test instances of class p that are answered with class q. */
  readonly confusion: readonly (readonly number[])[];
  /** Training instances of each class. */
  readonly training: readonly number[];
}

/** Names of classes: `a`, `b`, … */
const NAMES = 'abcdefghijklmnopqrstuvwxyz';

/** A run that answers its test instances so, really evaluated. A fifth of what is not tested validates. */
export function evaluatedRun({ folder = 'run', config, confusion, training }: RunOutline): ComparedRun {
  const classes = confusion.length;
  const answers = confusion.flatMap((row, p) => row.flatMap((size, q) => new Array<number[]>(size).fill([p, q])));
  const sum = (row: readonly number[]) => row.reduce((a, b) => a + b, 0);
  return {
    folder,
    config: parseConfig({
      data: { source: 'a.csv', target: 'class' },
      model: { name: 'mlp' },
      threads: 1,
      ...config,
    }),
    evaluation: {
      ...evaluate({
        labels: Int32Array.from(answers, ([p = 0]) => p),
        probabilities: Float64Array.from(
          answers.flatMap(([, answer]) => Array.from({ length: classes }, (_, q) => (q === answer ? 1 : 0))),
        ),
        classNames: [...NAMES.slice(0, classes)],
        trainingCounts: training,
        seed: 0,
        resamples: 100,
      }),
      counts: { training, validation: training.map((size) => size / 4), test: confusion.map(sum) },
    },
  };
}

import { expect, it } from 'vitest';
import { measuresOf } from '../../src/seven-tables/measures.js';
import examples from '../golden/fold-measures.json' with { type: 'json' };

it.each(examples)('are what scikit-learn measures: $name', ({ labels, answers, probabilities, measures }) => {
  const own = measuresOf({
    labels: Int32Array.from(labels),
    answers: Int32Array.from(answers),
    probabilities: Float64Array.from(probabilities.flat()),
    classNames: (probabilities[0] ?? []).map((_, p) => `class ${p}`),
  });
  expect(Object.keys(own)).toEqual(Object.keys(measures));
  for (const [name, value] of Object.entries(measures)) expect(Reflect.get(own, name), name).toBeCloseTo(value, 12);
});

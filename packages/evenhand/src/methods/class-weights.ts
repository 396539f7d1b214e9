import { z } from 'zod';
import { UserError } from '../user-error.js';
import { nearestName } from '../wording/nearest-name.js';
import { defineMethod, type NamedContext } from './define-method.js';
import { weightedLogPrior } from './log-prior.js';
import { oneHotLabels } from './one-hot-labels.js';

/** Weights that somebody chose, by class; with any loss. */
export const classWeights = defineMethod({
  name: 'class-weights',
  title: 'Each class has the weight that you give it, which multiplies its loss; 1 for those left out.',
  reference: 'Elkan 2001',
  changes: 'weights',
  options: z.strictObject({
    weights: z
      .record(z.string(), z.number().gt(0))
      .default({})
      .describe('weight of a class in the loss, above 0, with method class-weights; 1 for classes left out'),
  }),
  prepare: (context, options) => {
    const weights = weightsByClass(context, new Map(Object.entries(options.weights)));
    const assumedLogPrior = weightedLogPrior(context.trainingCounts, weights);
    return { loss: context.loss, assumedLogPrior, ...oneHotLabels(context, () => weights) };
  },
});

function weightsByClass({ method, classNames }: NamedContext, given: ReadonlyMap<string, number>): number[] {
  const options = ['method.weights'];
  if (given.size === 0) {
    throw new UserError(
      `the method "${method}" has no weights, and all classes would weigh the same; expected some, such as {"${classNames.at(-1)}": 20}. ` +
        'Without weights of your own, choose inverse-frequency or one-hot',
      { options },
    );
  }
  for (const name of given.keys()) {
    if (classNames.includes(name)) continue;
    const nearest = nearestName(name, classNames);
    const advice = nearest === undefined ? `expected ${listed(classNames)}` : `did you mean "${nearest}"?`;
    throw new UserError(`the option "weights" of the method "${method}": there is no class "${name}"; ${advice}`, {
      options,
    });
  }
  return classNames.map((name) => given.get(name) ?? 1);
}

/** Classes that a message names. */
const NAMED = 20;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).map((name) => `"${name}"`);
  return `${shown.join(', ')}${names.length > NAMED ? ` and ${names.length - NAMED} more` : ''}`;
}

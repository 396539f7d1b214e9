import { identityMatrix } from '@evenhand/encoding';
import { crossEntropy, focal, hinge, meanSquareError } from '@evenhand/engine';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseConfig } from '../../src/config/parse.js';
import { configJsonSchema } from '../../src/config/schema.js';
import { isMethodName, type MethodName, methods } from '../../src/methods/registry.js';
import { UserError } from '../../src/user-error.js';
import { COUNTS } from './problem.js';
import { prepare, type Result, recallOf, type Setup, train } from './train.js';

/** What the common checks expect of each method. */
interface Expectation {
  /** Whether it finds more of all classes, each counting the same, than plain training does. @defaultValue true */
  readonly helps?: boolean;
  /** Whether it finds more of the minority than plain training does. */
  readonly helpsMinority: boolean;
  /** Whether there is something to save. */
  readonly remembers: boolean;
  /** Whether the loss of one epoch says nothing about that of another: margins grow. @defaultValue false */
  readonly lossMoves?: boolean;
  /** The losses that it has a meaning with. */
  readonly losses: readonly (keyof typeof LOSSES)[];
  /** What it cannot do without. */
  readonly options?: object;
}

const LOSSES = { crossEntropy, meanSquareError, focal: focal({ gamma: 2 }), hinge };
const ALL_LOSSES = ['crossEntropy', 'meanSquareError', 'focal', 'hinge'] as const;
const helping: Expectation = { helpsMinority: true, remembers: false, losses: ALL_LOSSES };
/** What is left of the larger classes lies farther from the smallest one, which is still the smallest. */
const cleaning: Expectation = { ...helping, helpsMinority: false };
const expectations: { readonly [Name in MethodName]: Expectation } = {
  'one-hot': { ...helping, helpsMinority: false },
  enhancement: { ...helping, remembers: true },
  're-weighting': { ...helping, remembers: true },
  // It also pushes the other classes away from the minority, where these are mistaken for it.
  'cost-sensitiveness': { ...helping, remembers: true, helpsMinority: false },
  'balanced-enhancement': { ...helping, remembers: true },
  'confusion-margins': { ...helping, remembers: true, lossMoves: true },
  'class-balanced': helping,
  'inverse-frequency': helping,
  'class-weights': { ...helping, options: { weights: { b: 4, c: 20 } } },
  // Its weights change with every epoch, and the loss with them.
  'class-wise-difficulty': { ...helping, remembers: true, lossMoves: true },
  // Its second phase has another loss.
  'influence-balanced': { ...helping, lossMoves: true },
  'learning-to-reweight': { ...helping, lossMoves: true },
  'learned-costs': { ...helping, remembers: true, lossMoves: true, helpsMinority: false },
  'logit-adjustment': helping,
  'post-hoc-logit-adjustment': helping,
  'tau-normalisation': helping,
  'classifier-retraining': helping,
  'balanced-softmax': helping,
  ldam: { ...helping, losses: ['crossEntropy'] },
  // Mixtures keep the classes as common as they are.
  mixup: { ...cleaning, helps: false },
  'balanced-mixup': helping,
  'over-sampling': helping,
  rose: helping,
  smote: helping,
  'smote-nc': helping,
  'borderline-smote': helping,
  'k-means-smote': helping,
  adasyn: helping,
  'random-under-sampling': helping,
  'balanced-bagging': helping,
  'pt-bagging': helping,
  // It keeps what lies nearest to the minority, and takes much for the minority that is not.
  'near-miss': { ...cleaning, helps: false },
  'cluster-centroids': helping,
  // A handful of rows go.
  tomek: { ...cleaning, helps: false },
  'edited-nearest-neighbours': cleaning,
  'neighbourhood-cleaning': cleaning,
  'one-sided-selection': cleaning,
  'smote-tomek': helping,
  'smote-enn': helping,
};
const names = Object.keys(methods).filter(isMethodName);
const SEEDS = [1, 2, 3];
const EPOCHS = 12;
const MINORITY = COUNTS.length - 1;

const runs = (method: MethodName) =>
  Promise.all(SEEDS.map((seed) => train({ method, options: expectations[method].options, seed, epochs: EPOCHS })));
const meanOver = (results: readonly Result[], metric: (result: Result) => number) =>
  results.reduce((sum, result) => sum + metric(result), 0) / results.length;
const meanRecall = (result: Result) =>
  COUNTS.reduce((sum, _, label) => sum + recallOf(label, result), 0) / COUNTS.length;

let plain: readonly Result[];
beforeAll(async () => {
  plain = await runs('one-hot');
});

it('are all known to a configuration, in the order of the registry', () => {
  const { method: schema } = z
    .object({
      method: z.object({
        oneOf: z.array(z.object({ properties: z.object({ name: z.object({ const: z.string() }) }) })),
      }),
    })
    .parse(configJsonSchema().properties);
  expect(schema.oneOf.map(({ properties }) => properties.name.const)).toEqual(names);
});

describe.each(names)('%s', (method) => {
  const { helps = true, helpsMinority, remembers, losses, options, lossMoves = false } = expectations[method];
  const entry = methods[method];

  it('says what it is and where it comes from', () => {
    expect(entry.name).toBe(method);
    expect(entry.title).toMatch(/^[A-Z].{20,110}\.$/);
    if (method !== 'one-hot') expect(entry.reference).toMatch(/^[A-Z].* (19|20)\d\d$/);
  });

  it('has options that may be left out, that JSON can hold, and that mean the same when checked again', () => {
    const filledIn = entry.options.parse({});
    expect(entry.options.parse(JSON.parse(JSON.stringify(filledIn)))).toEqual(filledIn);
    expect(z.toJSONSchema(entry.options, { io: 'input' })).toMatchObject({
      type: 'object',
      additionalProperties: false,
    });
  });

  it('stands in a configuration with all of its options', () => {
    const config = parseConfig({ data: { source: 'table.csv', target: 'class' }, method: { name: method } });
    expect(config.method).toEqual({ name: method, ...entry.options.parse({}) });
    expect(() => parseConfig({ ...config, method: { name: method, tao: 1 } })).toThrow('tao');
  });

  it('says so if its labels are not one-hot', () => {
    const prepared = prepare({ method, options, epochs: 2 });
    const { generator } = prepared.beforeEpoch(0, {
      labels: Int32Array.of(0, 1, 2),
      probabilities: Float32Array.of(1, 0, 0, 0.7, 0.3, 0, 0.5, 0.25, 0.25),
    });
    const isOneHot = generator.every((value, i) => value === identityMatrix(COUNTS.length)[i]);
    expect(prepared.encodesLabels ?? false).toBe(!isOneHot);
  });

  it('refuses an option that it does not have, by name', () => {
    const context = {
      classNames: ['a', 'b'],
      trainingCounts: [1, 1],
      loss: crossEntropy,
      epochs: 1,
      learningRateShare: () => 1,
    };
    const refused = () => entry.prepare(context, { tao: 1 });
    expect(refused).toThrow(UserError);
    const known = Object.keys(entry.options.shape);
    expect(refused).toThrow(
      `the method "${method}" has no option "tao"; ${known.length === 0 ? 'it has none' : `expected ${known.join(', ')}`}`,
    );
  });

  it('brings the loss down, and finds more of the rare classes than plain training', async () => {
    const results = method === 'one-hot' ? plain : await runs(method);
    if (!lossMoves) for (const { losses: each } of results) expect(each.at(-1)).toBeLessThan(each[0] ?? Number.NaN);
    if (method === 'one-hot') return;
    if (helps) expect(meanOver(results, meanRecall)).toBeGreaterThan(meanOver(plain, meanRecall) + 0.01);
    if (helpsMinority) {
      const recall = (result: Result) => recallOf(MINORITY, result);
      expect(meanOver(results, recall)).toBeGreaterThan(meanOver(plain, recall) + 0.1);
    }
  });

  it.each(ALL_LOSSES)(`works with %s, or says that it does not`, async (loss) => {
    const setup: Setup = { method, options, loss: LOSSES[loss], epochs: EPOCHS };
    if (!losses.includes(loss)) {
      expect(() => prepare(setup)).toThrow(UserError);
      return;
    }
    const [untrained, trained] = [await train(setup, 0, 0), await train(setup)];
    expect(meanRecall(trained)).toBeGreaterThan(meanRecall(untrained) + 0.02);
  });

  it('fault 4: goes on from its saved state, read as text, bit for bit', async () => {
    const setup: Setup = { method, options, epochs: 4 };
    const whole = await train(setup);
    const continued = await train(setup, 2, 4, await train(setup, 0, 2));
    expect(continued.losses).toEqual(whole.losses.slice(2));
    expect(continued.state).toEqual(whole.state);
    expect(continued.probabilities).toEqual(whole.probabilities);
    expect(continued.method).toBe(whole.method);
    expect(whole.method !== 'null').toBe(remembers);
  });

  it('fault 5: knows the labels of the epoch that was going on when it was saved', () => {
    const setup: Setup = { method, options, epochs: 3 };
    const [first, second] = [prepare(setup), prepare(setup)];
    const observation = {
      labels: Int32Array.of(0, 1, 2),
      probabilities: Float32Array.of(1, 0, 0, 0.7, 0.3, 0, 0.5, 0.25, 0.25),
    };
    first.beforeEpoch(0, observation);
    const labels = first.beforeEpoch(1, observation);
    second.restore(JSON.parse(JSON.stringify(first)));
    expect(second.currentLabels(1)).toEqual(labels);
  });

  it('fault 8: refuses the state of a method of another kind', () => {
    const other = prepare({ method: remembers ? 'one-hot' : 'enhancement', epochs: 2 });
    const state: unknown = JSON.parse(JSON.stringify(other));
    const restore = () => prepare({ method, options, epochs: 2 }).restore(state);
    expect(restore).toThrow(UserError);
    expect(restore).toThrow(`the saved state is not one of the method "${method}"`);
    expect(restore).toThrow(/Resume with the method/);
  });

  it('trains with numbers where a class has no training instance', async () => {
    const counts = [64, 32, 0];
    const result = await train({ method, options, epochs: 5, counts });
    expect(result.losses.at(-1)).toBeLessThan(result.losses[0] ?? Number.NaN);
    expect(result.probabilities.every((p) => p >= 0 && p <= 1)).toBe(true);
  });
});

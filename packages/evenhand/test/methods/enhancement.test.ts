import { describe, expect, it } from 'vitest';
import { isMethodName, methods } from '../../src/methods/registry.js';
import { UserError } from '../../src/user-error.js';
import { CONTEXT, OBSERVATION } from './two-classes.js';

const ENCODING = ['enhancement', 're-weighting', 'cost-sensitiveness'] as const;

/** The row of the generator matrix for the second class, in every epoch. */
function secondRows(method: (typeof ENCODING)[number], options: unknown): number[][] {
  const prepared = methods[method].prepare(CONTEXT, options);
  return [0, 1, 2, 3].map((epoch) => [...prepared.beforeEpoch(epoch, OBSERVATION).generator.subarray(2)]);
}

function expectRows(received: readonly number[][], expected: readonly number[][]): void {
  expect(received).toHaveLength(expected.length);
  received.forEach((row, epoch) => {
    row.forEach((value, q) => {
      expect(value).toBeCloseTo(expected[epoch]?.[q] ?? Number.NaN, 6);
    });
  });
}

describe('labels', () => {
  it('follow G = (1−μ)·G* + μ·(I − ε·C), with ε = 3 and μ = 0.1 if left out', () => {
    // The row goes to (−1.5, 2.5): after t epochs all but 0.9ᵗ of the way.
    const way = [1, 2, 3, 4].map((t) => 1 - 0.9 ** t);
    expectRows(
      secondRows('enhancement', {}),
      way.map((done) => [-1.5 * done, 1 + 1.5 * done]),
    );
  });

  it('keep the diagonal alone for re-weighting, what is off it for cost-sensitiveness', () => {
    const options = { enhancementRate: 2, updatingRate: 1 };
    expectRows(secondRows('re-weighting', options), [
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 2],
    ]);
    expectRows(secondRows('cost-sensitiveness', options), [
      [-1, 1],
      [-1, 1],
      [-1, 1],
      [-1, 1],
    ]);
  });

  it('follow a warm-up: ε rises evenly and stays', () => {
    const options = { enhancementRate: { kind: 'warm-up', rate: 4, epochs: 2 }, updatingRate: 1 };
    expectRows(secondRows('enhancement', options), [
      [-1, 2],
      [-2, 3],
      [-2, 3],
      [-2, 3],
    ]);
  });

  it('follow a cosine: ε falls from the first epoch to the end of training', () => {
    const options = { enhancementRate: { kind: 'cosine', rate: 4, final: 2 }, updatingRate: 1 };
    // 3 + cos(π·t/4)
    const rates = [4, 3 + Math.SQRT1_2, 3, 3 - Math.SQRT1_2];
    expectRows(
      secondRows('enhancement', options),
      rates.map((rate) => [-rate / 2, 1 + rate / 2]),
    );
  });

  it('follow a schedule of μ', () => {
    const options = { enhancementRate: 2, updatingRate: { kind: 'warm-up', rate: 1, epochs: 2 } };
    expectRows(secondRows('enhancement', options), [
      [-0.5, 1.5],
      [-1, 2],
      [-1, 2],
      [-1, 2],
    ]);
  });

  it('stay one-hot with ε = 0', () => {
    expect(secondRows('enhancement', { enhancementRate: 0 })).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
      [0, 1],
    ]);
  });
});

describe('state', () => {
  const saved = () => JSON.parse(JSON.stringify(methods.enhancement.prepare(CONTEXT)));

  it.each([
    ['of an ablation', 're-weighting', CONTEXT, saved(), 'its part is "full"; expected "re-weighting"'],
    [
      'of other classes',
      'enhancement',
      { ...CONTEXT, classNames: ['a', 'b', 'c'] },
      saved(),
      'with 3 classes: it has 2 classes',
    ],
    ['of a newer version', 'enhancement', CONTEXT, { ...saved(), version: 3 }, 'json.version is 3'],
    ['that is damaged', 'enhancement', CONTEXT, { ...saved(), generatorMatrix: [1] }, 'json.generatorMatrix'],
    ['that is nothing', 'enhancement', CONTEXT, undefined, 'json is not a saved encoder'],
  ] as const)('%s is refused', (_, method, context, state: unknown, reason) => {
    const restore = () => methods[method].prepare(context).restore(state);
    expect(restore).toThrow(UserError);
    expect(restore).toThrow(reason);
  });

  it('continues with the rates of the options, not of the run that saved it', () => {
    const before = methods.enhancement.prepare(CONTEXT, { enhancementRate: 3, updatingRate: 1 });
    before.beforeEpoch(0, OBSERVATION);
    const after = methods.enhancement.prepare(CONTEXT, { enhancementRate: 8, updatingRate: 1 });
    after.restore(JSON.parse(JSON.stringify(before)));
    expect([...after.beforeEpoch(1, OBSERVATION).generator]).toEqual([1, 0, -4, 5]);
  });
});

it.each(ENCODING)('%s asks for validation instances', (method) => {
  const nothing = { labels: new Int32Array(0), probabilities: new Float32Array(0) };
  const begin = () => methods[method].prepare(CONTEXT).beforeEpoch(0, nothing);
  expect(begin).toThrow(UserError);
  expect(begin).toThrow(`the method "${method}" measures confusion on validation instances, and there are none`);
});

it('an epoch that is left out, or comes twice, is a bug of the caller', () => {
  const prepared = methods.enhancement.prepare(CONTEXT);
  expect(() => prepared.currentLabels(0)).toThrow('internal: 0 epochs were encoded; expected 1');
  expect(() => prepared.beforeEpoch(1, OBSERVATION)).toThrow('internal: 0 epochs were encoded; expected 1');
  prepared.beforeEpoch(0, OBSERVATION);
  expect(() => prepared.beforeEpoch(0, OBSERVATION)).toThrow('internal: 1 epochs were encoded; expected 0');
});

describe('options', () => {
  const planned =
    'Expected a number, "auto", { "kind": "warm-up", "rate", "epochs" }, { "kind": "cosine", "rate", "final" }';
  const ofEpsilon = `${planned}, { "kind": "steady", "push" } or { "kind": "look-ahead" }`;
  const ofMu = `${planned} or { "kind": "noise" }`;

  it.each([
    [
      'enhancement',
      { enhancementRate: -1 },
      'the option "enhancementRate"',
      '-1. Too small: expected number to be >=0',
    ],
    ['re-weighting', { updatingRate: 1.5 }, 'the option "updatingRate"', '1.5. Too big: expected number to be <=1'],
    [
      'enhancement',
      { enhancementRate: { kind: 'rise' } },
      'the option "enhancementRate"',
      `{"kind":"rise"}. ${ofEpsilon}`,
    ],
    ['enhancement', { enhancementRate: 'automatic' }, 'the option "enhancementRate"', `"automatic". ${ofEpsilon}`],
    ['enhancement', { updatingRate: 'automatic' }, 'the option "updatingRate"', `"automatic". ${ofMu}`],
    ['enhancement', { updatingRate: { kind: 'steady' } }, 'the option "updatingRate"', `{"kind":"steady"}. ${ofMu}`],
    [
      'enhancement',
      { enhancementRate: { kind: 'noise' } },
      'the option "enhancementRate"',
      `{"kind":"noise"}. ${ofEpsilon}`,
    ],
    [
      'enhancement',
      { enhancementRate: { kind: 'steady', push: -1 } },
      'the option "enhancementRate.push"',
      '-1. Too small: expected number to be >=0',
    ],
    ['enhancement', { updatingRate: { kind: 'cosine', rate: 2 } }, 'the option "updatingRate.rate"', '2. Too big'],
    ['class-balanced', { beta: 1 }, 'the option "beta"', '1. Too big: expected number to be <1'],
    ['logit-adjustment', { tau: '1' }, 'the option "tau"', '"1". Invalid input: expected number'],
    ['post-hoc-logit-adjustment', { tau: -1 }, 'the option "tau"', '-1. Too small'],
    ['ldam', { scale: 0 }, 'the option "scale"', '0. Too small'],
    ['ldam', { reweightFrom: 1.5 }, 'the option "reweightFrom"', '1.5. Invalid input: expected int'],
    ['class-weights', { weights: { a: 0 } }, 'the option "weights.a"', '0. Too small: expected number to be >0'],
    ['class-weights', { weights: { a: -1 } }, 'the option "weights.a"', '-1. Too small'],
    ['class-weights', { weights: { a: Number.NaN } }, 'the option "weights.a"', 'NaN. Invalid input'],
    [
      'class-weights',
      { weights: { a: Number.POSITIVE_INFINITY } },
      'the option "weights.a"',
      'Infinity. Invalid input',
    ],
    ['class-weights', { weights: 20 }, 'the option "weights"', '20. Invalid input'],
    ['one-hot', 7, 'options', '7. Invalid input: expected object'],
  ] as const)('%s refuses %o', (method, options: unknown, where, what) => {
    const prepare = () => methods[method].prepare(CONTEXT, options);
    expect(prepare).toThrow(UserError);
    expect(prepare).toThrow(`${where} of the method "${method}": received ${what}`);
  });
});

it('names of methods are those of the registry alone', () => {
  expect(isMethodName('ldam')).toBe(true);
  for (const name of ['toString', '__proto__', 'LDAM', '']) expect(isMethodName(name)).toBe(false);
});

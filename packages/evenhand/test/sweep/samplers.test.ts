import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexIn, isList, type Parameter, type TrialValues } from '../../src/sweep/domain.js';
import { countEstimator, parzenEstimator } from '../../src/sweep/parzen.js';
import { createSampler, type SamplerName, type Tried } from '../../src/sweep/samplers.js';

const PARAMETERS: readonly Parameter[] = [
  { path: 'optimizer.learningRate', domain: { from: 1e-4, to: 1, scale: 'log', integer: false } },
  { path: 'method.enhancementRate', domain: { from: 0, to: 30, scale: 'linear', integer: false } },
  { path: 'optimizer.name', domain: ['sgd', 'adam', 'adamw'] },
  { path: 'epochs', domain: { from: 1, to: 50, scale: 'linear', integer: true } },
];

/** Best, with 0, at a learning rate of 0.006, an enhancement rate of 7, adam and 33 epochs. */
function score(values: TrialValues): number {
  const [rate = 0, enhancement = 0, epochs = 0] = ['optimizer.learningRate', 'method.enhancementRate', 'epochs'].map(
    (path) => Number(values[path]),
  );
  const kind = indexIn(['adam', 'sgd', 'adamw'], values['optimizer.name']);
  return (
    -((Math.log10(rate / 0.006) / 2) ** 2) - ((enhancement - 7) / 15) ** 2 - 0.2 * kind - ((epochs - 33) / 25) ** 2
  );
}

function trialsOf(name: SamplerName, seed: number, trials: number): Tried[] {
  const sampler = createSampler(name, PARAMETERS, seed);
  const tried: Tried[] = [];
  for (let trial = 0; trial < trials; trial++) {
    const values = sampler(trial, tried);
    tried.push({ values, rung: 0, score: score(values) });
  }
  return tried;
}

describe.each(['tpe', 'random'] as const)('%s', (name) => {
  it('chooses values of the domains only, whatever became of the trials before', () => {
    const results = fc.record({ rung: fc.integer({ min: -1, max: 2 }), score: fc.option(fc.double({ noNaN: true })) });
    fc.assert(
      fc.property(fc.nat(), fc.array(results, { minLength: 12, maxLength: 20 }), (seed, outcomes) => {
        const sampler = createSampler(name, PARAMETERS, seed);
        const tried: Tried[] = [];
        for (const [trial, outcome] of outcomes.entries()) tried.push({ values: sampler(trial, tried), ...outcome });
        for (const { values } of tried) {
          for (const { path, domain } of PARAMETERS) {
            const value = values[path];
            if (isList(domain)) expect(domain).toContain(value);
            else expect(Number(value) >= domain.from && Number(value) <= domain.to).toBe(true);
          }
          expect(Number.isInteger(values.epochs)).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('seed and results decide what is chosen', () => {
    expect(trialsOf(name, 1, 15)).toEqual(trialsOf(name, 1, 15));
    expect(trialsOf(name, 1, 15)).not.toEqual(trialsOf(name, 2, 15));
  });

  it('tries no combination of lists twice, and all of them in the end', () => {
    const lists: Parameter[] = [
      { path: 'batchSize', domain: [8, 16, 32] },
      { path: 'model.hidden', domain: [[8], [16, 8], [4], [2]] },
    ];
    const sampler = createSampler(name, lists, 5);
    const tried: Tried[] = [];
    for (let trial = 0; trial < 12; trial++)
      tried.push({ values: sampler(trial, tried), rung: 0, score: 1 / (trial + 1) });
    expect(new Set(tried.map(({ values }) => JSON.stringify(values))).size).toBe(12);
  });
});

it('random learning rates are even on the logarithmic scale', () => {
  const rates = trialsOf('random', 3, 400).map(({ values }) => Number(values['optimizer.learningRate']));
  // Binomial with p = ¼: a standard deviation is 8.7.
  for (const [low, high] of [
    [1e-4, 1e-3],
    [1e-3, 1e-2],
    [1e-2, 0.1],
    [0.1, 1],
  ] as const) {
    const inside = rates.filter((rate) => rate >= low && rate < high).length;
    expect(Math.abs(inside - 100)).toBeLessThan(35);
  }
});

it('tpe finds better values than random does, on average over 40 seeds', () => {
  const meanBest = (name: SamplerName) =>
    Array.from({ length: 40 }, (_, seed) =>
      Math.max(...trialsOf(name, seed, 40).map((trial) => trial.score ?? 0)),
    ).reduce((sum, best) => sum + best / 40, 0);
  const [tpe, random] = [meanBest('tpe'), meanBest('random')];
  // The best score that there is, is 0.
  expect(tpe).toBeGreaterThan(0.75 * random);
});

it('tpe stays away from values that diverged', () => {
  const parameter: Parameter = { path: 'x', domain: { from: 0, to: 1, scale: 'linear', integer: false } };
  const tried: Tried[] = Array.from({ length: 30 }, (_, i) => {
    const x = (i + 0.5) / 30;
    return { values: { x }, rung: 0, score: x > 0.5 ? null : 0.5 };
  });
  const suggested = Array.from({ length: 200 }, (_, seed) => createSampler('tpe', [parameter], seed)(30, tried));
  expect(suggested.filter(({ x }) => Number(x) > 0.6).length).toBeLessThan(20);
});

it('tpe takes who came further for better than who scored higher on an earlier rung', () => {
  const kinds: Parameter = { path: 'kind', domain: ['short', 'long'] };
  const others: Parameter = { path: 'x', domain: { from: 0, to: 1, scale: 'linear', integer: false } };
  const tried: Tried[] = Array.from({ length: 20 }, (_, i) => {
    const x = (i + 0.5) / 20;
    return i < 4
      ? { values: { kind: 'long', x }, rung: 1, score: 0.6 }
      : { values: { kind: 'short', x }, rung: 0, score: 0.7 };
  });
  const suggested = Array.from({ length: 50 }, (_, seed) => createSampler('tpe', [kinds, others], seed)(20, tried));
  expect(suggested.filter(({ kind }) => kind === 'long').length).toBe(50);
});

it('a grid has every combination once, in order', () => {
  const sampler = createSampler(
    'grid',
    [
      { path: 'a', domain: [1, 2] },
      { path: 'b', domain: ['x', 'y'] },
    ],
    0,
  );
  const all = [0, 1, 2, 3].map((trial) => sampler(trial, []));
  expect(all).toEqual([
    { a: 1, b: 'x' },
    { a: 1, b: 'y' },
    { a: 2, b: 'x' },
    { a: 2, b: 'y' },
  ]);
});

describe('Parzen estimators', () => {
  const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

  it('have densities over [0, 1] that integrate to 1', () => {
    const steps = 4000;
    fc.assert(
      fc.property(places, (points) => {
        const { logDensity } = parzenEstimator(points);
        const sum = Array.from({ length: steps }, (_, i) => Math.exp(logDensity((i + 0.5) / steps)) / steps);
        expect(sum.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 4);
      }),
      { numRuns: 30 },
    );
  });

  it('do not depend on the order of the values', () => {
    fc.assert(
      fc.property(places, fc.double({ min: 0, max: 1, noNaN: true }), (points, at) => {
        const reversed = parzenEstimator([...points].reverse());
        expect(reversed.logDensity(at)).toBeCloseTo(parzenEstimator(points).logDensity(at), 10);
      }),
    );
  });

  it('are even where there are no values, nearly, and high where there are many', () => {
    const empty = parzenEstimator([]);
    expect(Math.exp(empty.logDensity(0.5) - empty.logDensity(0))).toBeCloseTo(Math.exp(1 / 8), 10); // N(0.5, 1)
    const { logDensity } = parzenEstimator([0.2, 0.21, 0.22, 0.23]);
    expect(logDensity(0.21)).toBeGreaterThan(logDensity(0.8) + 1);
  });

  it('count values of lists with one more of each', () => {
    const { logDensity } = countEstimator([0, 0, 2], 3);
    expect([0, 1, 2].map((place) => Math.exp(logDensity(place)))).toEqual(
      [3 / 6, 1 / 6, 2 / 6].map((p) => expect.closeTo(p)),
    );
  });
});

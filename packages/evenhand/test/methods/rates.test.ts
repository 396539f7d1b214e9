import { describe, expect, it } from 'vitest';
import { methods } from '../../src/methods/registry.js';
import { type Setup, train } from './train.js';
import { CONTEXT, OBSERVATION } from './two-classes.js';

function ratesOf(options: unknown, epochs = 2) {
  const prepared = methods.enhancement.prepare(CONTEXT, options);
  return Array.from({ length: epochs }, (_, epoch) => {
    prepared.beforeEpoch(epoch, OBSERVATION);
    return prepared.currentRates?.();
  });
}

describe('ε', () => {
  it('of a steady push is ρ by the mean loss, with ρ = 0.5 if left out; "auto" is the same', () => {
    // 0 and 0.5 are lost: 0.25 on average
    const steady = (push?: number) => ratesOf({ enhancementRate: { kind: 'steady', push }, updatingRate: 1 }, 1);
    expect(steady()).toEqual([{ enhancementRate: 2, updatingRate: 1 }]);
    expect(steady(0.25)).toEqual([{ enhancementRate: 1, updatingRate: 1 }]);
    expect(ratesOf({ enhancementRate: 'auto', updatingRate: 1 }, 1)).toEqual(steady());
  });

  it('of a look-ahead is the candidate that shifts no logit by more than 1', () => {
    const rates = ratesOf({ enhancementRate: { kind: 'look-ahead' }, updatingRate: 1 }, 1);
    expect(rates).toEqual([{ enhancementRate: 3, updatingRate: 1 }]);
  });
});

describe('μ', () => {
  it('by noise is a rate for each class; "auto" is the same', () => {
    // n = 1, own probability 0.5: R = 0.25, and P = 0.25: K = 1/2. Own probability 1: R = 0.75·0.25, K = 4/7.
    const [rates] = ratesOf({ enhancementRate: 2, updatingRate: { kind: 'noise' } }, 1);
    expect(rates).toEqual({ enhancementRate: 2, updatingRate: [expect.closeTo(4 / 7, 14), expect.closeTo(1 / 2, 14)] });
    expect(ratesOf({ enhancementRate: 2, updatingRate: 'auto' }, 1)).toEqual([rates]);
  });
});

describe('what is recorded', () => {
  it('is nothing where both rates are numbers', () => {
    expect(ratesOf({ enhancementRate: 2, updatingRate: 1 })).toEqual([undefined, undefined]);
    expect(ratesOf({})).toEqual([undefined, undefined]);
  });

  it('is a schedule too', () => {
    expect(ratesOf({ enhancementRate: { kind: 'warm-up', rate: 4, epochs: 2 }, updatingRate: 1 })).toEqual([
      { enhancementRate: 2, updatingRate: 1 },
      { enhancementRate: 4, updatingRate: 1 },
    ]);
  });
});

describe.each([
  ['auto', { enhancementRate: 'auto', updatingRate: 'auto' }],
  ['look-ahead', { enhancementRate: { kind: 'look-ahead' }, updatingRate: { kind: 'noise' } }],
])('%s', (_, options) => {
  it('fault 4: goes on from its saved state, read as text, bit for bit', async () => {
    const setup: Setup = { method: 'enhancement', options, epochs: 6 };
    const whole = await train(setup);
    const continued = await train(setup, 3, 6, await train(setup, 0, 3));
    expect(continued.losses).toEqual(whole.losses.slice(3));
    expect(continued.state).toEqual(whole.state);
    expect(continued.method).toBe(whole.method);
  });

  it('trains with numbers where a class has no training instance', async () => {
    const { losses, probabilities } = await train({ method: 'enhancement', options, epochs: 5, counts: [64, 32, 0] });
    expect(losses.every(Number.isFinite)).toBe(true);
    expect(probabilities.every((p) => p >= 0 && p <= 1)).toBe(true);
  });
});

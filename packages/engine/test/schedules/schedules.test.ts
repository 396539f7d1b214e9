import { describe, expect, it } from 'vitest';
import { constant } from '../../src/schedules/constant.js';
import { cosine } from '../../src/schedules/cosine.js';
import { multiStep } from '../../src/schedules/multi-step.js';
import { oneCycle } from '../../src/schedules/one-cycle.js';
import type { Schedule } from '../../src/schedules/schedule.js';
import { waves } from '../../src/schedules/waves.js';
import golden from '../golden/schedules.json' with { type: 'json' };

function expectRates(schedule: Schedule, expected: readonly number[]): void {
  expected.forEach((rate, step) => {
    expect(Math.abs(schedule(step) - rate), `step ${step}`).toBeLessThan(1e-10);
  });
}

describe(`schedules agree with ${golden.madeWith}`, () => {
  const rate = 0.1;
  it.each<[string, Schedule, readonly number[]]>([
    ['multiStep', multiStep({ rate, milestones: [12, 20], factor: 0.2 }), golden.multiStep],
    ['multiStep, warmed up', multiStep({ rate, milestones: [12, 20], factor: 0.01, warmUp: 5 }), golden.multiStepWarm],
    ['cosine', cosine({ rate, steps: 30 }), golden.cosine],
    ['cosine, warmed up', cosine({ rate, steps: 30, final: 0.001, warmUp: 5 }), golden.cosineWarm],
    ['oneCycle', oneCycle({ rate, steps: 30 }), golden.oneCycle],
    [
      'oneCycle, set otherwise',
      oneCycle({ rate, steps: 25, rise: 0.5, startDivisor: 10, endDivisor: 100 }),
      golden.oneCycleLate,
    ],
  ])('%s', (_, schedule, expected) => {
    expectRates(schedule, expected);
  });
});

describe('schedules by hand', () => {
  it('waves: four, each twice as long as the one before, between 0 and the rate', () => {
    // 15 units of time: waves end at 1/15, 3/15, 7/15 and 15/15, and are highest where 1 + 15t = 2^(k + ½)
    const schedule = waves({ rate: 0.04, steps: 15_000 });
    for (const end of [1000, 3000, 7000, 15_000]) expect(schedule(end - 1)).toBeLessThan(1e-5);
    for (const k of [0, 1, 2, 3]) {
      expect(schedule(Math.round(1000 * (2 ** (k + 0.5) - 1)))).toBeCloseTo(0.04, 5);
    }
  });

  it('constant never changes', () => {
    expectRates(constant(0.3), [0.3, 0.3, 0.3]);
  });

  it('multiStep: 0.1, ×0.01 at 160 and at 180, five warm-up epochs of one step', () => {
    const schedule = multiStep({ rate: 0.1, milestones: [160, 180], factor: 0.01, warmUp: 5 });
    expect([0, 1, 4, 5, 159].map(schedule)).toEqual([0.02, 0.04, 0.1, 0.1, 0.1]);
    expect(schedule(160)).toBeCloseTo(1e-3, 12);
    expect(schedule(179)).toBeCloseTo(1e-3, 12);
    expect(schedule(180)).toBeCloseTo(1e-5, 12);
    expect(schedule(1e6)).toBeCloseTo(1e-5, 12);
  });

  it('cosine is halfway in the middle, and stays at the end', () => {
    const schedule = cosine({ rate: 1, steps: 20, final: 0.2, warmUp: 10 });
    expect(schedule(10)).toBe(1);
    expect(schedule(15)).toBeCloseTo(0.6, 12);
    expect(schedule(20)).toBeCloseTo(0.2, 12);
    expect(schedule(1000)).toBeCloseTo(0.2, 12);
  });

  it('oneCycle starts at rate/startDivisor, reaches rate and ends below', () => {
    const schedule = oneCycle({ rate: 1, steps: 20, rise: 0.25, startDivisor: 10, endDivisor: 5 });
    expect(schedule(0)).toBeCloseTo(0.1, 12);
    expect(schedule(4)).toBe(1);
    expect(schedule(19)).toBeCloseTo(0.02, 12);
    expect(schedule(500)).toBeCloseTo(0.02, 12);
  });

  it.each([0, 0.01, 0.05, 1])('oneCycle is a number at every step when it rises for %d of them', (rise) => {
    const schedule = oneCycle({ rate: 1, steps: 20, rise });
    for (let step = 0; step < 25; step++) expect(schedule(step)).toSatisfy((rate: number) => rate >= 0 && rate <= 1);
  });
});

describe('schedules refuse', () => {
  it.each<[string, () => unknown]>([
    ['rate is -1; expected a number from 0', () => constant(-1)],
    ['rate is NaN; expected a number from 0', () => cosine({ rate: Number.NaN, steps: 3 })],
    ['steps is 5; expected an integer from 6', () => cosine({ rate: 1, steps: 5, warmUp: 5 })],
    ['milestones[1] is 3; expected an integer from 4', () => multiStep({ rate: 1, milestones: [3, 3] })],
    ['milestones[0] is 3; expected an integer from 5', () => multiStep({ rate: 1, milestones: [3], warmUp: 5 })],
    ['warmUp is 1.5; expected an integer from 0', () => multiStep({ rate: 1, milestones: [], warmUp: 1.5 })],
    ['rise is 2; expected a number from 0 to 1', () => oneCycle({ rate: 1, steps: 9, rise: 2 })],
    ['startDivisor is 0; expected a number above 0', () => oneCycle({ rate: 1, steps: 9, startDivisor: 0 })],
    ['step is -1; expected an integer from 0', () => constant(1)(-1)],
    ['step is 0.5; expected an integer from 0', () => oneCycle({ rate: 1, steps: 9 })(0.5)],
  ])('%s', (message, call) => {
    expect(call).toThrow(new RangeError(message));
  });
});

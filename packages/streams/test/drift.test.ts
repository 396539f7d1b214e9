import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Adwin, PageHinkley, RecallDrift } from '../src/index.js';
import { randomAt } from '../src/random.js';

/** 1 with a probability, else 0: the n-th number of a sequence. */
function coin(sequence: number, n: number, probability: number): number {
  return randomAt(7, sequence, n) < probability ? 1 : 0;
}

/** After how many numbers from a change on it was found; undefined if it was not, or before it happened. */
function delay(detector: { add(value: number): boolean }, before: number, after: number, sequence: number) {
  for (let n = 0; n < 1000; n++) if (detector.add(coin(sequence, n, before))) return undefined;
  for (let n = 0; n < 1000; n++) if (detector.add(coin(sequence, 1000 + n, after))) return n + 1;
  return undefined;
}

describe('Adwin', () => {
  it('remembers all numbers while nothing changes, and their mean', () => {
    fc.assert(
      fc.property(fc.array(fc.constant(0.25), { minLength: 1, maxLength: 500 }), (values) => {
        const adwin = new Adwin();
        expect(values.some((value) => adwin.add(value))).toBe(false);
        expect(adwin.size).toBe(values.length);
        expect(adwin.mean).toBeCloseTo(0.25, 12);
      }),
    );
  });

  it('raises few alarms where nothing changes: none in 19 of 20 sequences of 2,000 coins', () => {
    const alarms = Array.from({ length: 100 }, (_, sequence) => {
      const adwin = new Adwin();
      return Array.from({ length: 2000 }, (_, n) => adwin.add(coin(sequence, n, 0.7))).some(Boolean);
    });
    expect(alarms.filter(Boolean).length).toBeLessThanOrEqual(5);
  });

  it('finds a fall from 90 to 50 per cent within 200 numbers, and remembers what came after', () => {
    for (let sequence = 0; sequence < 20; sequence++) {
      const adwin = new Adwin();
      expect(delay(adwin, 0.9, 0.5, 100 + sequence)).toBeLessThanOrEqual(200);
      for (let n = 0; n < 2000; n++) adwin.add(coin(500 + sequence, n, 0.5));
      expect(Math.abs(adwin.mean - 0.5)).toBeLessThan(0.1);
    }
  });

  it('takes logarithmic memory', () => {
    const adwin = new Adwin();
    for (let n = 0; n < 100_000; n++) adwin.add(coin(1, n, 0.5));
    expect(adwin.toJSON().levels.flat().length).toBeLessThanOrEqual(6 * Math.ceil(Math.log2(100_000)));
    expect(
      adwin
        .toJSON()
        .levels.flat()
        .reduce((sum, { count }) => sum + count, 0),
    ).toBe(adwin.size);
  });

  it('goes on from JSON as if there had been no pause', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 200 }),
        fc.nat(200),
        (values, cut) => {
          const whole = new Adwin({ every: 1 });
          const found = values.map((value) => whole.add(value));
          let resumed = new Adwin({ every: 1 });
          const again = values.map((value, i) => {
            if (i === cut) resumed = Adwin.fromJSON(JSON.parse(JSON.stringify(resumed)));
            return resumed.add(value);
          });
          expect(again).toEqual(found);
          expect(resumed.toJSON()).toEqual(whole.toJSON());
        },
      ),
    );
  });

  it('refuses what is not a number, and options out of range', () => {
    expect(() => new Adwin().add(Number.NaN)).toThrow('the value is NaN; expected a finite number');
    expect(() => new Adwin({ delta: 0 })).toThrow('delta is 0; expected a number between 0 and 1');
    expect(() => new Adwin({ every: 0 })).toThrow('every is 0; expected a positive integer');
  });
});

describe('PageHinkley', () => {
  it('raises the alarm by its definition', () => {
    // Means 1, 1, 2/3, 1/2: U = 0.1, 0.2, 0.2 − 2/3 + 0.1 = −0.367, −0.767; fallen from 0.2 by 0.567 and 0.967.
    const test = new PageHinkley({ tolerance: 0.1, threshold: 0.9, atLeast: 1 });
    expect([1, 1, 0, 0].map((value) => test.add(value))).toEqual([false, false, false, true]);
    expect(test.size).toBe(0);
  });

  it('finds a fall and no rise', () => {
    expect(delay(new PageHinkley({ threshold: 20 }), 0.9, 0.3, 3)).toBeLessThanOrEqual(100);
    expect(delay(new PageHinkley({ threshold: 20 }), 0.3, 0.9, 4)).toBeUndefined();
  });

  it('goes on from JSON as if there had been no pause', () => {
    const whole = new PageHinkley({ threshold: 3 });
    let resumed = new PageHinkley({ threshold: 3 });
    for (let n = 0; n < 300; n++) {
      const value = coin(9, n, n < 150 ? 0.9 : 0.2);
      expect(resumed.add(value)).toBe(whole.add(value));
      if (n % 40 === 0) resumed = PageHinkley.fromJSON(JSON.parse(JSON.stringify(resumed)));
    }
    expect(resumed.toJSON()).toEqual(whole.toJSON());
  });

  it('refuses options out of range', () => {
    expect(() => new PageHinkley({ threshold: 0 })).toThrow('threshold is 0; expected a number above 0');
    expect(() => new PageHinkley({ tolerance: -1 })).toThrow('tolerance is -1; expected a number from 0');
    expect(() => new PageHinkley({ atLeast: 1.5 })).toThrow('atLeast is 1.5; expected a positive integer');
  });
});

describe('RecallDrift', () => {
  it('finds the class that is lost, among rows of another that is not', () => {
    const drift = new RecallDrift();
    const changes = [];
    for (let n = 0; n < 4000; n++) {
      drift.add(0, coin(20, n, 0.02)); // 98 % of the frequent class are right all the time
      if (n % 4 === 0) changes.push(drift.add(1, coin(21, n, n < 2000 ? 0.8 : 0.1)));
    }
    const found = changes.filter((change) => change !== undefined);
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ label }) => label === 1)).toBe(true);
    expect(found.some(({ worse }) => worse)).toBe(true);
  });

  it('goes on from JSON as if there had been no pause', () => {
    const whole = new RecallDrift({ every: 1 });
    let resumed = new RecallDrift({ every: 1 });
    for (let n = 0; n < 400; n++) {
      const [label, answer] = [n % 3, n < 200 ? n % 3 : 0];
      expect(resumed.add(label, answer)).toEqual(whole.add(label, answer));
      if (n % 70 === 0) resumed = RecallDrift.fromJSON(JSON.parse(JSON.stringify(resumed)));
    }
    expect(resumed.toJSON()).toEqual(whole.toJSON());
  });
});

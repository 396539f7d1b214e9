import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClassReservoir, ClassStatistics, PendingRows } from '../src/index.js';

describe('ClassReservoir', () => {
  it('keeps the first rows of each class until it is full, then some of those that came, always the newest', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(2), { minLength: 1, maxLength: 100 }),
        fc.integer({ min: 1, max: 8 }),
        (labels, capacity) => {
          const reservoir = new ClassReservoir(capacity, 3);
          for (const [i, label] of labels.entries()) {
            reservoir.add(label, Float32Array.of(i));
            expect(reservoir.toJSON().classes[label]?.rows).toContainEqual([i]);
          }
          for (const label of new Set(labels)) {
            const kept = reservoir.toJSON().classes[label]?.rows.flat() ?? [];
            expect(kept.length).toBe(Math.min(capacity, labels.filter((other) => other === label).length));
            expect(new Set(kept).size).toBe(kept.length);
            expect(kept.every((i) => labels[i] === label)).toBe(true);
          }
        },
      ),
    );
  });

  it('draws every kept row about equally often, and the same for the same draw', () => {
    const reservoir = new ClassReservoir(4, 1);
    for (let i = 0; i < 4; i++) reservoir.add(0, Float32Array.of(i));
    const counts = [0, 0, 0, 0];
    for (let draw = 0; draw < 4000; draw++) {
      const value = reservoir.draw(0, draw)?.[0] ?? Number.NaN;
      expect(reservoir.draw(0, draw)?.[0]).toBe(value);
      counts[value] = (counts[value] ?? 0) + 1;
    }
    // 1,000 expected of each, with a standard deviation of 27.
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
    expect(reservoir.draw(5, 0)).toBeUndefined();
  });

  it('copies rows, goes on from JSON, and forgets when asked to', () => {
    const row = Float32Array.of(1, 2);
    const reservoir = new ClassReservoir(2, 1);
    reservoir.add(1, row);
    row[0] = 9;
    expect([...(reservoir.draw(1, 0) ?? [])]).toEqual([1, 2]);
    expect(ClassReservoir.fromJSON(JSON.parse(JSON.stringify(reservoir))).toJSON()).toEqual(reservoir.toJSON());
    reservoir.add(0, row);
    reservoir.forget(1);
    expect([reservoir.size(0), reservoir.size(1)]).toEqual([1, 0]);
    reservoir.forgetAll();
    expect([reservoir.size(0), reservoir.size(1)]).toEqual([0, 0]);
    expect(() => new ClassReservoir(0, 1)).toThrow('capacity is 0; expected a positive integer');
  });
});

describe('ClassStatistics', () => {
  it('has shares that sum to 1 and rows of S that sum to the weight of their class', () => {
    const rows = fc.array(fc.tuple(fc.nat(2), fc.tuple(fc.nat(10), fc.nat(10), fc.nat(10))), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(rows, (some) => {
        const statistics = new ClassStatistics({ shareMemory: 20, confusionMemory: 5 });
        statistics.grow(3);
        for (const [label, [a, b, c]] of some) {
          const sum = a + b + c + 3;
          statistics.add(label, [(a + 1) / sum, (b + 1) / sum, (c + 1) / sum]);
        }
        expect(statistics.shares().reduce((x, y) => x + y)).toBeCloseTo(1, 12);
        // A geometric series: the weights of n rows, the newest of which weighs 1.
        const weight = (1 - 0.95 ** some.length) / (1 - 0.95);
        expect(statistics.frequencies.reduce((x, y) => x + y)).toBeCloseTo(weight, 9);
        for (const [p, frequency] of statistics.frequencies.entries())
          expect(frequency).toBeCloseTo(weight * (statistics.shares()[p] ?? Number.NaN), 9);
        for (const [p, count] of statistics.counts.entries()) {
          const row = statistics.softConfusion.slice(3 * p, 3 * p + 3);
          expect(row.reduce((x, y) => x + y)).toBeCloseTo(count, 9);
        }
      }),
    );
  });

  it('lets a class fade with its own rows alone in S, and with all rows in the shares', () => {
    // Memory 2 keeps a half: shares after 0, 1, 1 are 1/4 and 1 + 1/2; class 0's row of S is as its one row left it.
    const statistics = new ClassStatistics({ shareMemory: 2, confusionMemory: 2 });
    statistics.grow(2);
    statistics.add(0, [0.75, 0.25]);
    statistics.add(1, [0.5, 0.5]);
    statistics.add(1, [0, 1]);
    expect([...statistics.shares()]).toEqual([0.25 / 1.75, 1.5 / 1.75]);
    expect([...statistics.softConfusion]).toEqual([0.75, 0.25, 0.25, 1.25]);
    expect([...statistics.counts]).toEqual([1, 1.5]);
  });

  it('makes room for new classes without touching the others', () => {
    const statistics = new ClassStatistics({ shareMemory: 2, confusionMemory: 2 });
    statistics.grow(1);
    statistics.add(0, [1]);
    statistics.grow(2);
    expect([...statistics.softConfusion]).toEqual([1, 0, 0, 0]);
    expect([...statistics.counts]).toEqual([1, 0]);
    statistics.fade(0.5);
    expect([...statistics.counts]).toEqual([0.5, 0]);
    expect([...statistics.shares()]).toEqual([1, 0]);
    expect(ClassStatistics.fromJSON(JSON.parse(JSON.stringify(statistics))).toJSON()).toEqual(statistics.toJSON());
  });

  it('refuses classes and probabilities that do not fit', () => {
    const statistics = new ClassStatistics();
    statistics.grow(2);
    expect(() => statistics.add(2, [0.5, 0.5])).toThrow(
      'label is 2; expected an integer from 0 to 1; grow() makes room',
    );
    expect(() => statistics.add(0, [1])).toThrow('1 probabilities; expected one for each of 2 classes');
    expect(() => statistics.fade(2)).toThrow('share is 2; expected a number from 0 to 1');
    expect(() => new ClassStatistics({ shareMemory: 0 })).toThrow('memory is 0; expected a number from 1');
  });
});

describe('PendingRows', () => {
  it('gives every label its row, once, as long as the row is in the window', () => {
    const events = fc.array(fc.tuple(fc.boolean(), fc.nat(15)), { maxLength: 80 });
    fc.assert(
      fc.property(events, fc.integer({ min: 1, max: 10 }), (some, window) => {
        const pending = new PendingRows<number>(window);
        // The same, by a list: ids in order of arrival, the last `window` of them.
        const known: { id: string; row: number; labelled: boolean }[] = [];
        for (const [i, [isLabel, number]] of some.entries()) {
          const id = String(number);
          const remembered = known.slice(-window).find((one) => one.id === id);
          if (isLabel) {
            const expected =
              remembered === undefined
                ? { kind: 'unknown' }
                : remembered.labelled
                  ? { kind: 'repeated' }
                  : { kind: 'matched', row: remembered.row };
            expect(pending.label(id)).toEqual(expected);
            if (remembered !== undefined) remembered.labelled = true;
          } else {
            expect(pending.add(id, i)).toBe(remembered === undefined);
            if (remembered === undefined) known.push({ id, row: i, labelled: false });
          }
          expect(pending.waiting).toBe(known.slice(-window).filter(({ labelled }) => !labelled).length);
        }
        expect(PendingRows.fromJSON(JSON.parse(JSON.stringify(pending))).toJSON()).toEqual(pending.toJSON());
      }),
    );
  });

  it('refuses a window that is none', () => {
    expect(() => new PendingRows(0)).toThrow('window is 0; expected a positive integer');
  });
});

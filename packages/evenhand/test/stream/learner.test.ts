import { loadRuntime } from '@evenhand/engine/node';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openModel } from '../../src/prediction/predictor.js';
import { type StreamEvent, StreamLearner, type StreamOutcome } from '../../src/stream/learner/stream-learner.js';
import { STREAM_METHODS } from '../../src/stream/options.js';
import type { StreamRow } from '../../src/stream/rows/stream-column.js';
import { learnerOf, randomNumbers, twoClasses } from './streams.js';

/** Rows with ids, of which some have their label at once, some later, some twice, some never; the classes appear one by one. */
function untidyRows(count: number, seed: number): StreamRow[] {
  const random = randomNumbers(seed);
  const rows: StreamRow[] = [];
  for (let id = 0; id < count; id++) {
    const label = `c${Math.floor(random() * Math.min(6, 1 + id / 12))}`;
    const row = {
      id,
      x: random() < 0.1 ? null : Number(label.slice(1)) + random(),
      kind: random() < 0.5 ? 'a' : label,
    };
    const fate = random();
    rows.push(fate < 0.5 ? { ...row, class: label } : row);
    if (fate >= 0.7)
      rows.splice(Math.floor(random() * rows.length), 0, { id: Math.floor(random() * count), class: label });
  }
  return rows;
}

const answersOf = (outcomes: readonly StreamOutcome[]) =>
  outcomes.map((outcome) => (outcome.kind === 'answer' ? [outcome.answer, ...outcome.probabilities] : outcome.outcome));

describe('StreamLearner', () => {
  it('fault 50: rows in any groups, saved and loaded anywhere, come to the same answers and the same bytes', async () => {
    const runtime = await loadRuntime();
    const rows = untidyRows(90, 3);
    const options = { id: 'id', batch: 8, refresh: 10, labelWindow: 40, method: 'balanced-enhancement' } as const;
    const whole = await learnerOf(options, { rows });
    const expected = answersOf(await whole.take(rows));
    const bytes = await whole.save();
    expect(whole.metrics().classes.length).toBeGreaterThan(4); // the network was built anew for them
    await whole.close();

    const cuts = fc.array(fc.record({ at: fc.nat(rows.length), saves: fc.boolean() }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(cuts, async (given) => {
        let learner = await learnerOf(options, { rows });
        const outcomes: StreamOutcome[] = [];
        let from = 0;
        for (const { at, saves } of [...given, { at: rows.length, saves: true }].sort((a, b) => a.at - b.at)) {
          outcomes.push(...(await learner.take(rows.slice(from, at))));
          from = at;
          if (!saves) continue;
          const saved = await learner.save();
          await learner.close();
          ({ learner } = await StreamLearner.load(saved, { runtime }));
        }
        expect(answersOf(outcomes)).toEqual(expected);
        expect(Buffer.compare(await learner.save(), bytes)).toBe(0);
        await learner.close();
      }),
      { numRuns: 5 },
    );
  }, 240_000);

  it.each(STREAM_METHODS)(
    '%s: goes on from what was saved to the same bytes',
    async (method) => {
      const rows = twoClasses({ rows: 60, seed: 2, share: 0.3 });
      const whole = await learnerOf({ method, batch: 4, members: 3 });
      await whole.take(rows);
      const first = await learnerOf({ method, batch: 4, members: 3 });
      await first.take(rows.slice(0, 30));
      const { learner: second } = await StreamLearner.load(await first.save(), { runtime: await loadRuntime() });
      await second.take(rows.slice(30));
      expect(Buffer.compare(await second.save(), await whole.save())).toBe(0);
      for (const learner of [whole, first, second]) await learner.close();
    },
    60_000,
  );

  it('predicts before it learns: the class of a row changes no answer but later ones', async () => {
    const rows = twoClasses({ rows: 40, seed: 4, share: 0.3 });
    const last = rows.at(-1);
    const learners = [await learnerOf({ batch: 1 }), await learnerOf({ batch: 1 })] as const;
    const [right] = await Promise.all(learners.map(async (learner) => (await learner.take(rows.slice(0, -1))).length));
    expect(right).toBe(39);
    const [one] = await learners[0].take([{ ...last, class: 'common' }]);
    const [other] = await learners[1].take([{ ...last, class: 'rare' }]);
    expect(one).toEqual(other);
    const next = twoClasses({ rows: 1, seed: 5 });
    expect(await learners[0].take(next)).not.toEqual(await learners[1].take(next));
    for (const learner of learners) await learner.close();
  }, 240_000);

  it('fault 50: a label that comes late is learned from, one that comes twice, too late or never is counted', async () => {
    const learner = await learnerOf({ id: 'id', batch: 1, labelWindow: 3 }, { rows: [{ id: 0, x: 1, class: 'a' }] });
    const outcomes = async (...rows: StreamRow[]) =>
      (await learner.take(rows)).map((outcome) => (outcome.kind === 'label' ? outcome.outcome : outcome.kind));
    expect(await outcomes({ id: 1, x: 1 }, { id: 2, x: 2 }, { id: 3, x: 3 })).toEqual(['answer', 'answer', 'answer']);
    expect(learner.metrics()).toMatchObject({ rows: 3, labelled: 0, waiting: 3 });
    expect(await outcomes({ id: 2, class: 'a' })).toEqual(['matched']);
    expect(await outcomes({ id: 2, class: 'b' })).toEqual(['repeated']);
    expect(learner.classes).toEqual(['a']); // the first label stays
    // A fourth row: the first, of the three that are remembered, is given up.
    expect(await outcomes({ id: 4, x: 4, class: 'b' }, { id: 1, class: 'a' })).toEqual(['answer', 'unknown']);
    expect(learner.metrics()).toMatchObject({ rows: 4, labelled: 2, waiting: 1, repeatedLabels: 1, unknownLabels: 1 });
    // The same row once more brings no second label.
    expect(await outcomes({ id: 4, x: 4, class: 'b' })).toEqual(['answer']);
    expect(learner.metrics()).toMatchObject({ rows: 5, labelled: 2, repeatedRows: 1, repeatedLabels: 2 });
    await learner.close();
  }, 240_000);

  it('fault 50: a class that appears in the middle is answered once it has been learned', async () => {
    const events: StreamEvent[] = [];
    const learner = await learnerOf({ batch: 4, learningRate: 0.02 }, { rows: [{ x: 0, class: 'a' }], events });
    const rowsOf = (name: string, x: number) =>
      Array.from({ length: 200 }, (_, i) => ({ x: x + (i % 10) / 50, class: name }));
    await learner.take([...rowsOf('a', 0), ...rowsOf('b', 1)]);
    const names = ['c', 'd', 'e'];
    for (const [i, name] of names.entries()) await learner.take(rowsOf(name, 2 + i));
    const outcomes = await learner.take([{ x: 4.1 }]);
    expect(outcomes[0]).toMatchObject({ kind: 'answer', answer: 'e' });
    expect(events.filter(({ kind }) => kind === 'class')).toEqual(
      ['a', 'b', ...names].map((name, i) => ({ kind: 'class', row: 200 * i, class: name })),
    );
    await learner.close();
  }, 240_000);

  it('finds a rare class by every method more often than by one-hot labels without replay', async () => {
    const rows = twoClasses({ rows: 4000, seed: 6, share: 0.03 });
    const recallOf = async (method: (typeof STREAM_METHODS)[number], replay?: number) => {
      const learner = await learnerOf({
        method,
        members: 3,
        drift: 'none',
        ...(replay === undefined ? {} : { replay }),
      });
      await learner.take(rows);
      const { classes, faded } = learner.metrics();
      await learner.close();
      return faded.recall[classes.indexOf('rare')] ?? Number.NaN;
    };
    const plain = await recallOf('one-hot', 0);
    for (const method of STREAM_METHODS)
      expect([method, (await recallOf(method)) > plain + 0.1]).toEqual([method, true]);
  }, 240_000);

  it('notices a change, says so, and shortens its memory', async () => {
    for (const drift of ['recall', 'adwin', 'page-hinkley'] as const) {
      const events: StreamEvent[] = [];
      const learner = await learnerOf({ drift, learningRate: 1e-3 }, { events });
      await learner.take(twoClasses({ rows: 3000, seed: 7, share: 0.3, swapAt: 2000 }));
      const changes = events.filter((event) => event.kind === 'drift').filter(({ row }) => row >= 2000);
      expect([drift, changes.length > 0]).toEqual([drift, true]);
      expect(changes[0]).toMatchObject(
        drift === 'recall' ? { class: expect.stringMatching(/common|rare/) } : { kind: 'drift' },
      );
      expect(learner.metrics().changes).toBe(events.filter(({ kind }) => kind === 'drift').length);
      await learner.close();
    }
    const events: StreamEvent[] = [];
    const learner = await learnerOf({ drift: 'none' }, { events });
    await learner.take(twoClasses({ rows: 1500, seed: 7, share: 0.3, swapAt: 1000 }));
    expect(events.filter(({ kind }) => kind === 'drift')).toEqual([]);
    await learner.close();
  }, 240_000);

  it('exports a model that answers as the learner does, and goes on learning', async () => {
    const rows = untidyRows(200, 8).filter((row) => 'x' in row);
    const learner = await learnerOf({ id: 'id', batch: 8 }, { rows });
    await learner.take(rows);
    const model = await openModel(await learner.exportModel());
    // The scale moves with every row that is taken: these are taken from a copy each.
    const saved = await learner.save();
    const cases = [
      { row: { x: null, kind: 'a' }, within: 1e-5 }, // a missing number leaves the scale as it is
      { row: { x: null, kind: 'c2' }, within: 1e-5 },
      { row: { x: 2.5, kind: 'c1' }, within: 0.05 },
    ];
    for (const { row, within } of cases) {
      const { learner: copy } = await StreamLearner.load(saved, { runtime: await loadRuntime() });
      const [taken] = await copy.take([row]);
      const { labels, probabilities } = await model.predictRows([row]);
      if (taken?.kind !== 'answer') throw new Error('expected an answer');
      expect(labels).toEqual([taken.answer]);
      for (const [q, p] of taken.probabilities.entries()) {
        expect(Math.abs(p - (probabilities[q] ?? Number.NaN))).toBeLessThan(within);
      }
      await copy.close();
    }
    expect(model.classNames).toEqual(learner.classes);
    await model.close();
    await learner.take(rows);
    await learner.close();
  }, 240_000);

  it('refuses to export what has not seen two classes', async () => {
    const learner = await learnerOf({ batch: 2 }, { rows: [{ x: 1, class: 'a' }] });
    await expect(learner.exportModel()).rejects.toThrow(
      'has shown no class to learn from; expected two. Wait for 2 rows',
    );
    await learner.take([
      { x: 1, class: 'a' },
      { x: 2, class: 'a' },
    ]);
    await expect(learner.exportModel()).rejects.toThrow('only the class "a"');
    await learner.close();
  }, 240_000);

  it('asks its source for more when what came before has been answered', async () => {
    const learner = await learnerOf({ batch: 4 });
    const asked: number[] = [];
    let answered = 0;
    async function* source() {
      for (let i = 0; i < 5; i++) {
        asked.push(answered);
        yield i % 2 === 0 ? twoClasses({ rows: 3, seed: i + 1 }) : { x: 1, y: 2, class: 'rare' };
      }
    }
    for await (const outcome of learner.follow(source())) {
      expect(outcome).toMatchObject({ kind: 'answer', row: answered });
      answered++;
    }
    expect(asked).toEqual([0, 3, 4, 7, 8]);
    await learner.close();
  }, 240_000);

  it('takes what is no number for missing, counts it, and refuses what is no row before anything is taken', async () => {
    const learner = await learnerOf({ batch: 4 });
    await learner.take([{ x: '12.5O', y: Number.NaN, class: 'rare' }, { x: ' 2 ', y: null }, {}]);
    expect(learner.metrics()).toMatchObject({ rows: 3, invalid: 1, labelled: 1 });
    const bytes = await learner.save();
    const broken: StreamRow[] = JSON.parse('[{"x": 1}, 7]');
    expect(() => learner.take(broken)).toThrow('row 2 of 2 is no object; expected values by the names of columns');
    expect(Buffer.compare(await learner.save(), bytes)).toBe(0);
    await learner.close();
  }, 240_000);

  it('refuses options and bytes that cannot be used, by name', async () => {
    await expect(learnerOf({ batch: 0 })).rejects.toThrow('batch is 0; expected a number of at least 1');
    const runtime = await loadRuntime();
    await expect(StreamLearner.create({ target: 'class' }, [], { runtime })).rejects.toThrow(
      'the stream has no columns',
    );
    const learner = await learnerOf();
    const saved = await learner.save(new Map([['position', '17']]));
    await learner.close();
    const { learner: loaded, texts } = await StreamLearner.load(saved, { runtime });
    expect(texts).toEqual(new Map([['position', '17']]));
    await loaded.close();
    await expect(StreamLearner.load(saved.subarray(0, 100), { runtime })).rejects.toThrow(
      'the state of the stream cannot be read',
    );
    saved[saved.length - 1] = (saved.at(-1) ?? 0) ^ 1;
    await expect(StreamLearner.load(saved, { runtime })).rejects.toThrow('it is damaged; use an earlier copy');
  }, 240_000);
});

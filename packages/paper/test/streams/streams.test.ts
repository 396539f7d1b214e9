import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GENERATORS, randomNumbers } from '../../src/streams/generators.js';
import { LEARNERS } from '../../src/streams/learners.js';
import { measureStream } from '../../src/streams/measure.js';
import { streamsSection } from '../../src/streams/section.js';
import { readStreamLines, runStreams, type StreamLine } from '../../src/streams/stream-lines.js';
import { drawStream, type MadeStream, STREAMS, sharesAt } from '../../src/streams/streams.js';
import { temporaryFolder } from '../temporary-folder.js';

const streamNamed = (name: string): MadeStream => {
  const found = STREAMS.find((stream) => stream.name === name);
  if (found?.kind !== 'made') throw new Error(`no made stream ${name}`);
  return found;
};

describe('generators', () => {
  const drawn = (name: keyof typeof GENERATORS, progress: number) => {
    const next = GENERATORS[name].begin(randomNumbers(1));
    return Array.from({ length: 4000 }, () => next(progress));
  };

  it('SEA compares the first two columns with the threshold of the quarter, and a tenth of its labels are wrong', () => {
    for (const [quarter, threshold] of [8, 9, 7, 9.5].entries()) {
      const rows = drawn('sea', quarter / 4);
      const right = rows.filter(({ values: [x = 0, y = 0], label }) => (x + y <= threshold ? 1 : 0) === label);
      expect(Math.abs(right.length / rows.length - 0.9)).toBeLessThan(0.02);
    }
  });

  it('Agrawal decides by age in the first half, and by salary for each age in the second', () => {
    const isYoungOrOld = (age: number) => age < 40 || age >= 60;
    expect(drawn('agrawal', 0.2).every(({ values, label }) => isYoungOrOld(values[2] ?? 0) === (label === 1))).toBe(
      true,
    );
    const rows = drawn('agrawal', 0.7);
    const of = (age: number, salary: number) =>
      rows.filter(({ values }) => Math.abs((values[2] ?? 0) - age) < 5 && Math.abs((values[0] ?? 0) - salary) < 5000);
    for (const [age, salary, label] of [
      [30, 75_000, 1],
      [30, 130_000, 0],
      [50, 100_000, 1],
      [50, 60_000, 0],
      [70, 50_000, 1],
      [70, 100_000, 0],
    ] as const) {
      expect(of(age, salary).map((row) => row.label)).toEqual(of(age, salary).map(() => label));
      expect(of(age, salary).length).toBeGreaterThan(5);
    }
  });

  it('LED shows an 8 with all segments, each wrong one time in ten; later three are somewhere else', () => {
    const shareOn = (progress: number, column: number) => {
      const eights = drawn('led', progress).filter(({ label }) => label === 8);
      return eights.filter(({ values }) => values[column] === 1).length / eights.length;
    };
    for (const column of [0, 3, 6]) expect(Math.abs(shareOn(0.2, column) - 0.9)).toBeLessThan(0.06);
    for (const column of [0, 12]) expect(Math.abs(shareOn(0.7, column) - 0.5)).toBeLessThan(0.1);
    for (const column of [3, 7, 9]) expect(Math.abs(shareOn(0.7, column) - 0.9)).toBeLessThan(0.06);
  });

  it('the hyperplane turns: what separates the classes at first does so worse later', () => {
    const next = GENERATORS.hyperplane.begin(randomNumbers(3));
    const rows = Array.from({ length: 20_000 }, () => next(0));
    // The difference of the class means, fitted on the first rows, is a direction that separates them.
    const first = rows.slice(0, 2000);
    const meanOf = (label: number, column: number) => {
      const own = first.filter((row) => row.label === label);
      return own.reduce((sum, { values }) => sum + (values[column] ?? 0), 0) / own.length;
    };
    const direction = Array.from({ length: 10 }, (_, column) => meanOf(1, column) - meanOf(0, column));
    const half = direction.reduce((sum, weight) => sum + weight / 2, 0);
    const accuracy = (part: typeof rows) =>
      part.filter(({ values, label }) => {
        const score = values.reduce((sum, value, column) => sum + value * (direction[column] ?? 0), 0);
        return (score >= half ? 1 : 0) === label;
      }).length / part.length;
    expect(accuracy(first)).toBeGreaterThan(0.88);
    expect(accuracy(rows.slice(-2000))).toBeLessThan(accuracy(first) - 0.03);
  });
});

describe('streams', () => {
  it('have the shares that their names say, wherever they stand', () => {
    expect(sharesAt(streamNamed('sea 1:20 steady'), 0.9).map((share) => 21 * share)).toEqual([20, 1]);
    expect(sharesAt(streamNamed('sea 1:20 swapped'), 0.5).map((share) => Math.round(21 * share))).toEqual([1, 20]);
    const [half = 0] = sharesAt(streamNamed('hyperplane 1:100 drifting'), 0.5);
    expect(half).toBeCloseTo(0.5, 12);
    const led = sharesAt(streamNamed('led 1:100 steady'), 0);
    expect((led[0] ?? 0) / (led[9] ?? 1)).toBeCloseTo(100, 9);
    const rows = drawStream(streamNamed('agrawal 1:20 swapped'), 4, 4000);
    const rare = (part: typeof rows, label: number) => part.filter((row) => row.label === label).length / part.length;
    expect(Math.abs(rare(rows.slice(0, 2000), 1) - 1 / 21)).toBeLessThan(0.02);
    expect(Math.abs(rare(rows.slice(2000), 0) - 1 / 21)).toBeLessThan(0.02);
  });

  it('are the same for the same seed, and others for another', () => {
    const stream = streamNamed('led 1:20 drifting');
    expect(drawStream(stream, 1, 50)).toEqual(drawStream(stream, 1, 50));
    expect(drawStream(stream, 1, 50)).not.toEqual(drawStream(stream, 2, 50));
  });
});

describe('measures of a stream', () => {
  it('answers that are always right have 1, one class alone has 0, and the beginning does not count', () => {
    const labels = Array.from({ length: 2000 }, (_, i) => i % 2);
    const lateRight = labels.map((label, i) => (i < 100 ? -1 : label));
    expect(measureStream(labels, labels)).toEqual({
      gMean: 1,
      balancedAccuracy: 1,
      accuracy: 1,
      curve: Array(8).fill(1),
    });
    expect(
      measureStream(
        labels,
        labels.map(() => 0),
      ),
    ).toMatchObject({ gMean: 0, curve: Array(8).fill(0) });
    expect(
      measureStream(
        labels,
        labels.map(() => 0),
      ).balancedAccuracy,
    ).toBeCloseTo(0.5, 12);
    const late = measureStream(labels, lateRight);
    // Of 250 rows the first 100 were wrong; a row that is k rows old weighs 0.999^k.
    const weight = (from: number, to: number) => (0.999 ** from - 0.999 ** to) / (1 - 0.999);
    expect(late.curve[0]).toBeCloseTo(weight(0, 150) / weight(0, 250), 2);
    expect(late.gMean).toBeGreaterThan(0.9);
  });
});

const line = (learner: string, seed: number, gMean: number, stream = 'sea 1:20 steady'): StreamLine => ({
  ...{ stream, learner, seed, gMean, balancedAccuracy: gMean, accuracy: 0.9, curve: [0.1, gMean], seconds: 1 },
});

describe('the section about streams', () => {
  it('has means over seeds, tells ahead from chance, draws, and says what is missing', () => {
    const lines = [0, 1, 2, 3, 4].flatMap((seed) => [
      line('one-hot', seed, 0.5 + seed / 100),
      line('enhancement', seed, 0.6 + seed / 100 + (seed % 2) / 1000),
      line('logit-adjustment', seed, 0.59 + ((7 * seed) % 5) / 50),
    ]);
    const { text, figures } = streamsSection(lines);
    expect(text).toContain('| one-hot | 52.0 | – | – | 52.0 |');
    expect(text).toContain('| enhancement − one-hot | +10.0 | 1 | 0 | 0 |');
    expect(text).toContain('| enhancement − logit-adjustment | −1.0 | 0 | 0 | 1 |');
    expect(text).toContain(`preliminary: 15 of ${27 * 5 * LEARNERS.length} results`);
    expect(figures.size).toBe(0); // of this stream there is no drawing
    const drawn = streamsSection([line('one-hot', 0, 0.4, 'sea 1:20 swapped')]);
    expect([...drawn.figures.keys()]).toEqual(['stream-sea-1-20-swapped.svg']);
    expect(drawn.text).toContain('](figures/stream-sea-1-20-swapped.svg)');
    expect(streamsSection([]).text).toBe('Nothing has been measured yet.');
  });
});

describe('runs on streams', () => {
  it('measure what is missing, once, and go on where they were interrupted', async () => {
    const file = join(await temporaryFolder(), 'streams.jsonl');
    const told: string[] = [];
    const stop = new AbortController();
    const runs = {
      streams: [streamNamed('sea 1:20 steady')],
      learners: ['one-hot', 'logit-adjustment', 'MLPClassifier'],
      seeds: 1,
      python: undefined,
      signal: stop.signal,
      onProgress: (text: string) => {
        told.push(text);
        if (told.length === 1) stop.abort(new Error('stopped'));
      },
    };
    await expect(runStreams(file, runs)).rejects.toThrow('stopped');
    await runStreams(file, { ...runs, signal: new AbortController().signal });
    const lines = await readStreamLines(file);
    expect(lines.map(({ learner }) => learner)).toEqual(['one-hot', 'logit-adjustment']); // without a Python, no peers
    expect(lines[1]?.gMean).toBeGreaterThan((lines[0]?.gMean ?? 1) + 0.1);
    expect(lines[0]?.curve).toHaveLength(40);
    const text = await readFile(file, 'utf8');
    await runStreams(file, { ...runs, signal: new AbortController().signal });
    expect(await readFile(file, 'utf8')).toBe(text);
  }, 240_000);
});

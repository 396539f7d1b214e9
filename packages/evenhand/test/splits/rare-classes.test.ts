import { describe, expect, it } from 'vitest';
import { imageContentHash } from '../../src/images/content-hash.js';
import { treatRareClasses } from '../../src/splits/rare-classes.js';
import { splitDataset } from '../../src/splits/split-dataset.js';
import { tableContentHash } from '../../src/tables/content-hash.js';
import { UserError } from '../../src/user-error.js';
import { categorical, images, labelsOf, numeric, table } from './datasets.js';

describe('classes with too few instances', () => {
  const dataset = table(labelsOf([5, 2, 6, 1]));

  it('fault 22: are refused with their counts', () => {
    const message =
      'table.csv has classes with too few instances to split: "b" (2), "d" (1). Expected at least 3 of each, to train, ' +
      'validate and test. Merge them into one class or drop them (rareClasses "merge" or "drop"), or add data.';
    expect(() => treatRareClasses(dataset, 'refuse')).toThrow(
      new UserError(message, { options: ['data.rareClasses'] }),
    );
  });

  it('fault 22: are listed up to ten', () => {
    const many = table(labelsOf([5, 5, ...new Array<number>(13).fill(1)]));
    expect(() => treatRareClasses(many, 'refuse')).toThrow('"k" (1), "l" (1) and 3 more. Expected');
  });

  it('fault 22: are refused, whatever the rule, where fewer than two others could be tested', () => {
    const message = 'table.csv has classes with too few instances to split: "b" (2). Expected at least 3 of each';
    expect(() => treatRareClasses(table(labelsOf([50, 2])), 'keep')).toThrow(message);
    expect(() => splitDataset(table(labelsOf([50, 2])), { seed: 1 })).toThrow(message);
  });

  it('fault 22: are refused, whatever the rule, where none of their instances would be left for training', () => {
    const tested = table(labelsOf([5, 5, 1]), { officialTest: Int32Array.of(0, 5, 10) });
    expect(() => treatRareClasses(tested, 'keep')).toThrow('too few instances to split: "c" (1)');
  });

  it('fault 22: are kept for training, and said to be untested', () => {
    const kept = treatRareClasses(dataset, 'keep');
    expect(kept.classNames).toEqual(['a', 'b', 'c', 'd']);
    expect(kept.notes).toEqual([
      'Classes with too few instances to be tested: "b" (2), "d" (1). They are learned, but no result says how well; ' +
        'merge or drop them by the option rareClasses.',
    ]);
    const { training, validation, test, notes } = splitDataset(kept, { seed: 1 });
    const classesOf = (instances: Int32Array) => new Set(Array.from(instances, (instance) => kept.labels[instance]));
    expect(classesOf(training)).toEqual(new Set([0, 1, 2, 3]));
    expect(classesOf(validation)).toEqual(new Set([0, 1, 2]));
    expect(classesOf(test)).toEqual(new Set([0, 2]));
    expect(notes).toContain('The test set has no instance of "b", "d".');
  });

  it('fault 22: are merged into one class', () => {
    const merged = treatRareClasses(dataset, 'merge');
    expect(merged.classNames).toEqual(['a', 'c', 'other']);
    expect(Array.from(merged.labels)).toEqual([0, 0, 0, 0, 0, 2, 2, 1, 1, 1, 1, 1, 1, 2]);
    expect(merged.notes).toEqual([
      'Classes with too few instances to split are merged into "other": "b" (2), "d" (1).',
    ]);
    expect(splitDataset(merged, { seed: 1 }).test.length).toBe(3);
  });

  it('fault 22: are no longer in the content hash', () => {
    const merged = treatRareClasses(dataset, 'merge');
    const other = table([0, 0, 0, 0, 0, 2, 2, 1, 1, 1, 1, 1, 1, 2], { classNames: ['a', 'c', 'other'] });
    expect(merged.contentHash).toBe(tableContentHash(other));
    const dropped = treatRareClasses(images([0, 0, 0, 1, 2, 2, 2], [[1], [2], [3], [4], [5], [6], [7]]), 'drop');
    const without = images([0, 0, 0, 1, 1, 1], [[1], [2], [3], [5], [6], [7]]);
    expect(dropped.contentHash).toBe(imageContentHash({ ...without, classNames: ['a', 'c'] }));
  });

  it('fault 22: are merged under a free name', () => {
    const named = table(labelsOf([5, 2, 6, 1]), { classNames: ['other', 'x', 'other 2', 'y'] });
    expect(treatRareClasses(named, 'merge').classNames).toEqual(['other', 'other 2', 'other 3']);
  });

  it('fault 22: are refused if they are too few even when merged', () => {
    expect(() => treatRareClasses(table(labelsOf([5, 5, 2])), 'merge')).toThrow(
      new UserError(
        'table.csv has classes with too few instances to split: "other" (2). Expected at least 3 of each, to train, ' +
          'validate and test. That is after merging; drop them instead (rareClasses "drop"), or add data.',
        { options: ['data.rareClasses'] },
      ),
    );
  });

  it('fault 22: are dropped with their rows, in all columns', () => {
    const dropped = treatRareClasses(
      table(labelsOf([3, 2, 3, 1]), {
        columns: [categorical('y', ['p', 'q'], [0, 1, 0, 1, 0, 1, 0, 1, 0])],
        leftOut: [numeric('id', [0, 1, 2, 3, 4, 5, 6, 7, 8])],
      }),
      'drop',
    );
    expect(dropped).toMatchObject({
      classNames: ['a', 'c'],
      labels: Int32Array.of(0, 0, 0, 1, 1, 1),
      columns: [{ name: 'y', codes: Int32Array.of(0, 1, 0, 1, 0, 1) }],
      leftOut: [{ name: 'id', values: Float64Array.of(0, 1, 2, 5, 6, 7) }],
      notes: ['Instances of classes with too few of them to split are left out: "b" (2), "d" (1).'],
    });
  });

  it('fault 22: are dropped with their images, and the test set of the source follows', () => {
    const dropped = treatRareClasses(
      {
        ...images(
          [0, 1, 2, 0, 2, 0, 2],
          [
            [1, 2],
            [3, 4],
            [5, 6],
            [7, 8],
            [9, 10],
            [11, 12],
            [13, 14],
          ],
        ),
        files: ['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'c3'],
        officialTest: Int32Array.of(1, 4, 5),
      },
      'drop',
    );
    expect(dropped).toMatchObject({
      classNames: ['a', 'c'],
      labels: Int32Array.of(0, 1, 0, 1, 0, 1),
      pixels: Uint8Array.of(1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14),
      files: ['a1', 'c1', 'a2', 'c2', 'a3', 'c3'],
      officialTest: Int32Array.of(3, 4),
    });
  });

  it('fault 22: need two instances outside the test set of the source', () => {
    const tested = table(labelsOf([5, 3]), { officialTest: Int32Array.of(0, 5, 6) });
    expect(() => treatRareClasses(tested, 'refuse')).toThrow(
      'table.csv has classes with too few instances to split: "b" (3). Expected at least 3 of each, to train, validate ' +
        'and test, 2 of them outside its test set.',
    );
  });

  it('leaves names that are numbers in their order', () => {
    const numbered = table(labelsOf([3, 3, 1, 3]), { classNames: ['-1', '2', '9', '10'] });
    expect(treatRareClasses(numbered, 'drop').classNames).toEqual(['-1', '2', '10']);
  });

  it('leaves a data set without them as it is', () => {
    const fine = table(labelsOf([3, 3]));
    expect(treatRareClasses(fine, 'merge')).toBe(fine);
    expect(treatRareClasses(fine, 'drop')).toBe(fine);
  });
});

describe('one class only', () => {
  it('fault 21: is refused', () => {
    expect(() => splitDataset(table(labelsOf([10])), { seed: 1 })).toThrow(
      new UserError('table.csv has only one class, "a"; expected at least two, or there is nothing to learn.'),
    );
  });

  it('fault 21: is refused where other classes have a name and no instance', () => {
    const dataset = table(labelsOf([10]), { classNames: ['a', 'b'] });
    expect(() => splitDataset(dataset, { seed: 1 })).toThrow('table.csv has only one class, "a"');
  });

  it('fault 21: is refused where dropping or merging leaves no other', () => {
    expect(() => treatRareClasses(table(labelsOf([10, 2])), 'drop')).toThrow('table.csv has only one class, "a"');
    expect(() => treatRareClasses(table(labelsOf([2, 2])), 'merge')).toThrow('table.csv has only one class, "other"');
  });

  it('fault 21: no instance at all is refused', () => {
    expect(() => splitDataset(table([]), { seed: 1 })).toThrow('table.csv has no class at all; expected at least two');
  });
});

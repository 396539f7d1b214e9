import { classificationReport } from '@evenhand/encoding';
import { expect, it } from 'vitest';
import { largestConfusions, notableClasses } from '../../src/evaluation/notable-classes.js';
import { notableNote } from '../../src/wording/notable-note.js';

const CLASSES = 200;

/** Two test instances of each class; wrong are those of `wrong`, of which each names the class that is answered. */
function reportOf(wrong: ReadonlyMap<number, number>) {
  const labels = Array.from({ length: 2 * CLASSES }, (_, i) => Math.floor(i / 2));
  const scores = labels.flatMap((label) =>
    Array.from({ length: CLASSES }, (_, q) => (q === (wrong.get(label) ?? label) ? 1 : 0)),
  );
  return classificationReport(labels, scores, { classes: CLASSES });
}

it('fault 54: of very many classes the commonest, the rarest, the least found and the most confused are shown', () => {
  // Class 0 has the most training instances. 100 to 104 are never found, but taken for 150 to 154.
  const trainingCounts = Array.from({ length: CLASSES }, (_, p) => 1000 - p);
  const report = reportOf(new Map([100, 101, 102, 103, 104].map((p) => [p, p + 50])));
  const shown = notableClasses(report, trainingCounts);
  const commonest = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  const rarest = [190, 191, 192, 193, 194, 195, 196, 197, 198, 199];
  // All others are found: of these the commonest five come first, and they are shown already.
  expect(shown).toEqual([...commonest, 100, 101, 102, 103, 104, 150, 151, 152, 153, 154, ...rarest]);
  expect(notableNote(shown.length, CLASSES)).toBe(
    '30 of the 200 classes are shown: the 10 commonest, the 10 rarest, the 10 with the lowest recall, and those of the 10 largest confusions.',
  );
});

it('up to 128 classes all are shown, by their training instances, and nothing is said', () => {
  const labels = Array.from({ length: 128 }, (_, p) => p);
  const scores = labels.flatMap((label) => labels.map((q) => (q === label ? 1 : 0)));
  const report = classificationReport(labels, scores, { classes: 128 });
  expect(notableClasses(report, labels)).toEqual([...labels].reverse());
  expect(notableNote(128, 128)).toBe('');
});

it('the largest confusions come with their instances', () => {
  expect(largestConfusions(reportOf(new Map([[7, 3]])), 10)).toEqual([{ label: 7, answer: 3, instances: 2 }]);
});

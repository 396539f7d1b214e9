import { type Random, seededRandom } from '@evenhand/engine';
import type { Point } from './points.js';

/** Points to start with. */
export interface Preset {
  readonly id: string;
  readonly name: string;
  /** What to look at. */
  readonly hint: string;
  readonly points: readonly Point[];
}

/** Where a point of a class may be, by chance. */
type Place = (random: Random) => readonly [x: number, y: number];

function draw(id: string, classes: readonly (readonly [count: number, place: Place])[]): Point[] {
  return classes.flatMap(([count, place], label) => {
    const random = seededRandom(label, `playground: ${id}`);
    return Array.from({ length: count }, () => {
      const [x, y] = place(random);
      return { x: Math.min(0.98, Math.max(0.02, x)), y: Math.min(0.98, Math.max(0.02, y)), label };
    });
  });
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function cloud(x: number, y: number, spread: number): Place {
  return (random) => [x + spread * normal(random), y + spread * normal(random)];
}

/** A part of a circle, from one angle to another, in turns. */
function arc(x: number, y: number, radius: number, from: number, to: number, spread: number): Place {
  return (random) => {
    const angle = 2 * Math.PI * (from + (to - from) * random());
    return [
      x + radius * Math.cos(angle) + spread * normal(random),
      y + radius * Math.sin(angle) + spread * normal(random),
    ];
  };
}

export const PRESETS: readonly Preset[] = [
  {
    id: 'overlap',
    name: 'Overlap',
    hint: '300 circles and 16 triangles whose clouds overlap. Where they overlap, ordinary training nearly always says “circle”, because that is right more often.',
    points: draw('overlap', [
      [300, cloud(0.4, 0.42, 0.15)],
      [16, cloud(0.6, 0.6, 0.09)],
    ]),
  },
  {
    id: 'moons',
    name: 'Moons',
    hint: 'Two half moons, 240 to 12. The shape of the rare one can only be guessed from a few points.',
    points: draw('moons', [
      [240, arc(0.38, 0.4, 0.26, 0, 0.5, 0.085)],
      [12, arc(0.6, 0.56, 0.26, 0.5, 1, 0.085)],
    ]),
  },
  {
    id: 'island',
    name: 'Island',
    hint: '14 triangles in the middle of 320 circles. Is it an island, or is it noise?',
    points: draw('island', [
      [320, (random) => [0.06 + 0.88 * random(), 0.06 + 0.88 * random()]],
      [14, cloud(0.55, 0.55, 0.075)],
    ]),
  },
  {
    id: 'long-tail',
    name: 'Long tail',
    hint: 'Three classes: 220, 40 and 10 points. A row of the generator matrix shows which class its points are mistaken for.',
    points: draw('long-tail', [
      [220, cloud(0.36, 0.4, 0.14)],
      [40, cloud(0.64, 0.42, 0.1)],
      [10, cloud(0.5, 0.62, 0.08)],
    ]),
  },
  {
    id: 'balanced',
    name: 'Balanced',
    hint: 'As many triangles as circles: all three agree. Halve the triangles a few times and watch the networks diverge.',
    points: draw('balanced', [
      [120, cloud(0.38, 0.42, 0.13)],
      [120, cloud(0.64, 0.6, 0.13)],
    ]),
  },
];

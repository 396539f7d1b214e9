import { type Random, seededRandom } from '@evenhand/engine';

/** The classes that can be painted, each with a shape and a colour of its own. */
export const CLASSES = ['circles', 'triangles', 'squares'] as const;

/** A painted point: x and y from 0 to 1, y from the bottom. */
export interface Point {
  readonly x: number;
  readonly y: number;
  /** Index in {@link CLASSES}. */
  readonly label: number;
}

/** One in so many points of every class is held out: it measures, and teaches nobody. */
const HELD_OUT = 4;

/** How many points each class has. */
export function classCounts(points: readonly Point[]): number[] {
  return CLASSES.map((_, label) => points.filter((point) => point.label === label).length);
}

/** The classes that have points. */
export function paintedClasses(points: readonly Point[]): number[] {
  return [...classCounts(points).entries()].filter(([, count]) => count > 0).map(([label]) => label);
}

/**
 * Whether each point is held out: of every class the second, and every fourth after it, in the order in which they were painted. So a
 * class of two points has one to learn from and one to measure with, and painting more changes nothing about those that are there.
 */
export function heldOut(points: readonly Point[]): boolean[] {
  const seen = CLASSES.map(() => 0);
  return points.map(({ label }) => {
    const number = seen[label] ?? 0;
    seen[label] = number + 1;
    return number % HELD_OUT === 1;
  });
}

/** A point near another, inside the square. */
export function pointNear(x: number, y: number, label: number, spread: number, random: Random): Point {
  const angle = 2 * Math.PI * random();
  const distance = spread * Math.sqrt(random());
  return { x: inside(x + distance * Math.cos(angle)), y: inside(y + distance * Math.sin(angle)), label };
}

/** The points that are not within a circle. */
export function erased(points: readonly Point[], x: number, y: number, radius: number): Point[] {
  return points.filter((point) => Math.hypot(point.x - x, point.y - y) > radius);
}

/** With every second point of a class left out; its last one stays. */
export function halved(points: readonly Point[], label: number): Point[] {
  let seen = 0;
  return points.filter((point) => point.label !== label || seen++ % 2 === 0);
}

/** With a new point beside every one of a class. */
export function doubled(points: readonly Point[], label: number): Point[] {
  const random = seededRandom(points.length, 'playground: double');
  const own = points.filter((point) => point.label === label);
  return [...points, ...own.map(({ x, y }) => pointNear(x, y, label, BESIDE, random))];
}

const BESIDE = 0.04;
const MARGIN = 0.01;

function inside(value: number): number {
  return Math.min(1 - MARGIN, Math.max(MARGIN, value));
}

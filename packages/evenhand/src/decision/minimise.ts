import { at, float64At } from '../checked-access.js';

/** A function's value at a point, and its gradient there. */
export interface Slope {
  readonly value: number;
  readonly gradient: Float64Array;
}

const REMEMBERED = 12;
const MOST_STEPS = 500;
const MOST_HALVINGS = 40;
/** Share of the decrease that the gradient promises (Armijo). */
const SUFFICIENT = 1e-4;
/** Of a sum over many rows, relative to it. */
const ROUNDING = 1e-14;
/** Steps without a better value after which the gradient is as small as it gets. */
const MOST_STALLED = 10;

/**
 * The minimum of a smooth convex function by L-BFGS with backtracking (Nocedal and Wright 2006, algorithms 7.4 and 3.1). Nothing
 * in it is random: the same function gives the same bits.
 *
 * @param tolerance - of the largest entry of the gradient; entries should be of about the same scale
 */
export function minimise(slopeAt: (point: Float64Array) => Slope, start: Float64Array, tolerance = 1e-9): Float64Array {
  let point = start;
  let here = slopeAt(point);
  const memory: Correction[] = [];
  let stalled = 0;
  for (let step = 0; step < MOST_STEPS && largest(here.gradient) > tolerance; step++) {
    const direction = descent(here.gradient, memory);
    const promised = dot(direction, here.gradient);
    const from = here;
    // Near the minimum the value is the same to rounding, and only the gradient still tells.
    const rounding = ROUNDING * (1 + Math.abs(from.value));
    let length = memory.length === 0 ? Math.min(1, 1 / largest(here.gradient)) : 1;
    let next = moved(point, direction, length);
    let there = slopeAt(next);
    for (let halving = 0; there.value > from.value + SUFFICIENT * length * promised + rounding; halving++) {
      if (halving === MOST_HALVINGS) return point;
      length /= 2;
      next = moved(point, direction, length);
      there = slopeAt(next);
    }
    stalled = from.value - there.value > rounding ? 0 : stalled + 1;
    if (stalled > MOST_STALLED) return point;
    const change = difference(next, point);
    const bend = difference(there.gradient, from.gradient);
    const curvature = dot(change, bend);
    if (curvature > 0) {
      memory.push({ change, bend, curvature });
      if (memory.length > REMEMBERED) memory.shift();
    }
    [point, here] = [next, there];
  }
  return point;
}

interface Correction {
  readonly change: Float64Array;
  readonly bend: Float64Array;
  readonly curvature: number;
}

/** `−H·g`, H the inverse Hessian as the last steps show it: the two-loop recursion. */
function descent(gradient: Float64Array, memory: readonly Correction[]): Float64Array {
  let direction: Float64Array = gradient.map((entry) => -entry);
  const shares: number[] = [];
  for (const { change, bend, curvature } of [...memory].reverse()) {
    const share = dot(change, direction) / curvature;
    shares.push(share);
    direction = moved(direction, bend, -share);
  }
  const last = memory.at(-1);
  if (last !== undefined) {
    const scale = last.curvature / dot(last.bend, last.bend);
    direction = direction.map((entry) => scale * entry);
  }
  for (const [i, { change, bend, curvature }] of memory.entries()) {
    const share = at(shares, memory.length - 1 - i);
    direction = moved(direction, change, share - dot(bend, direction) / curvature);
  }
  return direction;
}

const moved = (point: Float64Array, direction: Float64Array, length: number) =>
  point.map((entry, i) => entry + length * float64At(direction, i));
const difference = (a: Float64Array, b: Float64Array) => moved(a, b, -1);
const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, entry, i) => sum + entry * float64At(b, i), 0);
const largest = (values: Float64Array) => values.reduce((most, entry) => Math.max(most, Math.abs(entry)), 0);

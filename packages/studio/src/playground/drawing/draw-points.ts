import { heldOut, type Point } from '../points.js';
import type { Colours } from './class-colours.js';

/**
 * Draws points in their classes' shapes and colours; those that are held out are hollow.
 *
 * @param size - pixels on each side of the square
 * @param radius - of a point, in pixels
 */
export function drawPoints(
  context: CanvasRenderingContext2D,
  points: readonly Point[],
  size: number,
  radius: number,
  colours: Colours,
): void {
  const isHeldOut = heldOut(points);
  context.lineWidth = radius / 3;
  for (const [i, { x, y, label }] of points.entries()) {
    const colour = `rgb(${(colours.classes[label] ?? [0, 0, 0]).join(' ')})`;
    context.beginPath();
    OUTLINES[label]?.(context, x * size, (1 - y) * size, radius);
    context.fillStyle = isHeldOut[i] === true ? colours.page : colour;
    context.strokeStyle = isHeldOut[i] === true ? colour : colours.page;
    context.fill();
    context.stroke();
  }
}

type Outline = (context: CanvasRenderingContext2D, x: number, y: number, radius: number) => void;

/** Of circles, triangles and squares; all of about the same size to the eye. */
const OUTLINES: readonly Outline[] = [
  (context, x, y, radius) => context.arc(x, y, 0.85 * radius, 0, 2 * Math.PI),
  (context, x, y, radius) => {
    context.moveTo(x, y - 1.2 * radius);
    context.lineTo(x + 1.08 * radius, y + 0.75 * radius);
    context.lineTo(x - 1.08 * radius, y + 0.75 * radius);
    context.closePath();
  },
  (context, x, y, radius) => context.rect(x - 0.8 * radius, y - 0.8 * radius, 1.6 * radius, 1.6 * radius),
];

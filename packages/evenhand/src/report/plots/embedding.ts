import { frame, line, text } from '@observablehq/plot';
import { at, float64At } from '../../checked-access.js';
import type { Html } from '../html.js';
import { shortName, textWidth } from '../names.js';
import { CHART_WIDTH, chart, seriesColour } from './chart.js';
import type { ChartClasses } from './class-rows.js';

/** Classes that can be told apart by colour. With more, only the rarest few have one. */
export const COLOURED = 10;
export const COLOURED_RAREST = 5;
const LINE = 14;
/** Dots, in pixels; with more points than there is room for they get smaller. */
const WIDEST = 4;
const NARROWEST = 2;
const ROOM = 2000;
const MARGIN = 8;

interface Point {
  readonly x: number;
  readonly y: number;
  readonly label: number;
}

/**
 * Test instances in the plane, coloured by class; class names stand in the middle of their points.
 *
 * @param kind - which class of an instance `labels` has: the true one, or the one that was answered
 */
export function embeddingChart(
  run: ChartClasses,
  embedding: Float64Array,
  labels: Int32Array,
  kind: 'true' | 'predicted' = 'true',
): Html {
  const points = pointsIn(embedding, labels);
  const present = new Set(labels);
  const order = run.classOrder.filter((p) => present.has(p));
  const coloured = run.classNames.length <= COLOURED ? run.classOrder : order.slice(-COLOURED_RAREST);
  const ofClass = new Map(coloured.map((p) => [p, points.filter(({ label }) => label === p)]));
  const names = withoutOverlap(
    Array.from(ofClass, ([p, own]) => ({ own, name: shortName(at(run.classNames, p)) }))
      .filter(({ own }) => own.length > 0)
      .map(({ own, name }) => ({ ...middle(own), name })),
  );
  const width = Math.min(WIDEST, Math.max(NARROWEST, WIDEST * Math.sqrt(ROOM / points.length)));
  const dots = (own: readonly Point[], stroke: string) =>
    line(own, { x: 'x', y: 'y', stroke, strokeWidth: width, strokeOpacity: 0.8, strokeLinecap: 'round', curve: apart });
  const scale = { domain: [0, CHART_WIDTH], axis: null } as const;
  return chart(`t-SNE of the test outputs, coloured by ${kind} class`, {
    height: CHART_WIDTH,
    margin: 0,
    x: scale,
    y: scale,
    marks: [
      dots(
        points.filter(({ label }) => !ofClass.has(label)),
        'var(--muted)',
      ),
      // Rare classes come last, on top of the others.
      ...Array.from(ofClass.values(), (own, i) => dots(own, seriesColour(i))),
      text(names, {
        x: 'x',
        y: 'y',
        text: 'name',
        fontWeight: 600,
        stroke: 'var(--page)',
        strokeWidth: 4,
        fill: 'currentColor',
      }),
      frame({ strokeOpacity: 0.4, inset: 0.5 }),
    ],
  });
}

/** What is used of a path that a line is drawn on. */
interface Path {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
}

/** A line that only stops at its points: with round ends, dots that take a third of the room that circles take in a file. */
function apart(path: Path) {
  return {
    lineStart: () => undefined,
    lineEnd: () => undefined,
    point: (x: number, y: number) => {
      path.moveTo(x, y);
      path.lineTo(x, y);
    },
  };
}

/** In pixels, to a tenth, in the middle of the frame. */
function pointsIn(embedding: Float64Array, labels: Int32Array): Point[] {
  const [x, y] = [extent(embedding.filter((_, k) => k % 2 === 0)), extent(embedding.filter((_, k) => k % 2 === 1))];
  const widest = Math.max(x.width, y.width, Number.MIN_VALUE);
  const pixel = (offset: number) => CHART_WIDTH / 2 + (offset / widest) * (CHART_WIDTH - 2 * MARGIN);
  const tenth = (value: number) => Math.round(10 * value) / 10;
  return Array.from(labels, (label, i) => ({
    label,
    x: tenth(pixel(float64At(embedding, 2 * i) - x.middle)),
    y: tenth(pixel(float64At(embedding, 2 * i + 1) - y.middle)),
  }));
}

function extent(values: Float64Array): { readonly width: number; readonly middle: number } {
  const low = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  return { width: high - low, middle: (low + high) / 2 };
}

/** The median of both coordinates. */
function middle(points: readonly Point[]): { x: number; y: number } {
  const median = (values: readonly number[]) =>
    at(
      [...values].sort((a, b) => a - b),
      Math.floor(values.length / 2),
    );
  return { x: median(points.map(({ x }) => x)), y: median(points.map(({ y }) => y)) };
}

interface Name {
  readonly x: number;
  readonly y: number;
  readonly name: string;
}

/** Moves names inside the frame, and up or down until none covers another. */
function withoutOverlap(names: readonly Name[]): Name[] {
  const settled: Name[] = [];
  for (const { x, y, name } of [...names].sort((a, b) => a.y - b.y)) {
    const half = halfWidth(name);
    const at = { name, x: Math.min(Math.max(x, half), CHART_WIDTH - half), y: Math.max(y, LINE) };
    const covers = (other: Name) =>
      Math.abs(other.y - at.y) < LINE && Math.abs(other.x - at.x) < half + halfWidth(other.name);
    while (settled.some(covers)) at.y += 2;
    settled.push(at);
  }
  const over = Math.max(0, ...settled.map(({ y }) => y - (CHART_WIDTH - LINE)));
  return settled.map((name) => ({ ...name, y: name.y - over }));
}

/** With a gap; bold letters are wider than others. */
function halfWidth(name: string): number {
  return 0.58 * textWidth(name) + 3;
}

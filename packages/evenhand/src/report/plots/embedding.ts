import { dot, frame, text } from '@observablehq/plot';
import type { Html } from '../html.js';
import { shortName, textWidth } from '../names.js';
import type { RunData } from '../run-data.js';
import { CHART_WIDTH, chart, seriesColour } from './chart.js';

/** Classes that can be told apart by colour. With more, only the rarest few have one. */
const COLOURS = 10;
const RAREST = 5;
const LINE = 14;
const MARGIN = 8;

interface Point {
  readonly x: number;
  readonly y: number;
  readonly label: number;
}

/** Test instances in the plane, coloured by their true class; class names stand in the middle of their points. */
export function embeddingChart(run: RunData, embedding: Float64Array, labels: Int32Array): Html {
  const points = placed(embedding, labels);
  const coloured = run.classNames.length <= COLOURS ? run.classOrder : run.classOrder.slice(-RAREST);
  const colours = new Map(coloured.map((p, i) => [p, seriesColour(i)]));
  // Rare classes are drawn last, on top of the others.
  const rank = new Map(run.classOrder.map((p, place) => [p, place]));
  const ordered = [...points].sort((a, b) => (rank.get(a.label) ?? 0) - (rank.get(b.label) ?? 0));
  const names = withoutOverlap(
    coloured.flatMap((p) => {
      const own = points.filter(({ label }) => label === p);
      return own.length === 0 ? [] : [{ ...middle(own), name: shortName(run.classNames[p] ?? '') }];
    }),
  );
  const scale = { domain: [0, CHART_WIDTH], axis: null } as const;
  return chart('t-SNE of the test outputs, coloured by true class', {
    height: CHART_WIDTH,
    margin: 1,
    x: scale,
    y: scale,
    marks: [
      dot(ordered, {
        x: 'x',
        y: 'y',
        r: 2,
        fill: ({ label }: Point) => colours.get(label) ?? 'var(--muted)',
        fillOpacity: 0.7,
      }),
      text(names, {
        x: 'x',
        y: 'y',
        text: 'name',
        fontWeight: 600,
        stroke: 'var(--page)',
        strokeWidth: 4,
        fill: 'currentColor',
      }),
      frame({ strokeOpacity: 0.4 }),
    ],
  });
}

/** In pixels, to a tenth. */
function placed(embedding: Float64Array, labels: Int32Array): Point[] {
  const coordinate = (axis: 0 | 1) => embedding.filter((_, k) => k % 2 === axis);
  const [xs, ys] = [coordinate(0), coordinate(1)];
  const [left, bottom] = [least(xs), least(ys)];
  const widest = Math.max(-least(xs.map((x) => -x)) - left, -least(ys.map((y) => -y)) - bottom, Number.MIN_VALUE);
  const pixel = (offset: number) => Math.round(10 * (MARGIN + (offset / widest) * (CHART_WIDTH - 2 * MARGIN))) / 10;
  return Array.from(labels, (label, i) => ({ label, x: pixel((xs[i] ?? 0) - left), y: pixel((ys[i] ?? 0) - bottom) }));
}

function least(values: Float64Array): number {
  return values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
}

/** The median of both coordinates. */
function middle(points: readonly Point[]): { x: number; y: number } {
  const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
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
    const half = textWidth(name) / 2 + 4;
    const at = { name, x: Math.min(Math.max(x, half), CHART_WIDTH - half), y: Math.max(y, LINE) };
    const covers = (other: Name) =>
      Math.abs(other.y - at.y) < LINE && Math.abs(other.x - at.x) < half + textWidth(other.name) / 2;
    while (settled.some(covers)) at.y += 2;
    settled.push(at);
  }
  const over = Math.max(0, ...settled.map(({ y }) => y - (CHART_WIDTH - LINE)));
  return settled.map((name) => ({ ...name, y: name.y - over }));
}

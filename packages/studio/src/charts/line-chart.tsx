import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { count, percent, short } from '../parts/format.js';
import { niceRange, ticks } from './ticks.js';

/** A line of a chart. */
export interface Series {
  /** Names it in legends, and says which one was picked. */
  readonly id: string;
  readonly name: string;
  /** Of ten. */
  readonly colour: number;
  readonly points: readonly (readonly [x: number, y: number])[];
}

interface LineChartProps {
  /** What it shows, for those who cannot see it. */
  readonly label: string;
  readonly quantity: string;
  readonly series: readonly Series[];
  /** Whether values are shares of 1. */
  readonly shares?: boolean;
  /** What the horizontal axis counts. @defaultValue epoch */
  readonly axis?: 'epoch' | 'row';
  /** Epochs or rows to point out. */
  readonly marked?: readonly number[];
  /** A line that stands out. */
  readonly highlighted?: string | undefined;
  /** Is told which line was clicked. */
  readonly onPick?: ((id: string) => void) | undefined;
  readonly height?: number;
}

const MARGIN = { top: 24, right: 14, bottom: 36, left: 52 };
/** Lines whose values fit into a box beside the cursor. */
const MOST_READ = 12;
const NEAR = 24;

/** Pixels that a number on the horizontal axis takes. */
const TICK_WIDTH = { epoch: 60, row: 90 };
/** Where the horizontal axis begins. */
const FIRST = { epoch: 1, row: 0 };

/** Learning curves over epochs or rows, as they are: nothing is smoothed. */
export function LineChart(props: LineChartProps) {
  const { label, quantity, series, shares = false, marked = [], highlighted, onPick, height = 240 } = props;
  const { axis = 'epoch' } = props;
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(420);
  const [cursor, setCursor] = useState<number | undefined>(undefined);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(240, element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const { paths, places, toX, toY, xTicks, yTicks } = useMemo(() => {
    const all = series.flatMap(({ points }) => points);
    const places = [...new Set(all.map(([x]) => x))].sort((a, b) => a - b);
    const [first, most] = [FIRST[axis], Math.max(2, places.at(-1) ?? 2)];
    const [low, high] = shares ? rangeOfShares(all) : niceRange(all.map(([, y]) => y));
    const toX = (x: number) => MARGIN.left + ((x - first) / (most - first)) * (width - MARGIN.left - MARGIN.right);
    const toY = (y: number) =>
      height - MARGIN.bottom - ((y - low) / (high - low)) * (height - MARGIN.top - MARGIN.bottom);
    const paths = series.map((one) => ({
      ...one,
      path: one.points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${toX(x).toFixed(1)} ${toY(y).toFixed(1)}`).join(''),
    }));
    const wholeTicks = ticks(first, most, Math.min(10, width / TICK_WIDTH[axis])).filter(Number.isInteger);
    return { paths, places, toX, toY, xTicks: wholeTicks, yTicks: ticks(low, high, 5) };
  }, [series, axis, shares, width, height]);
  const text = (value: number) => (shares ? percent(value) : short(value));
  const nearestTo = (clientX: number): number | undefined => {
    const x = clientX - (box.current?.getBoundingClientRect().left ?? 0);
    const distance = (place: number) => Math.abs(toX(place) - x);
    return places.reduce<number | undefined>(
      (best, place) => (best === undefined || distance(place) < distance(best) ? place : best),
      undefined,
    );
  };
  const read = cursor === undefined ? [] : valuesAt(series, cursor);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const now = cursor === undefined ? (step > 0 ? -1 : places.length) : places.indexOf(cursor);
    setCursor(places[Math.min(places.length - 1, Math.max(0, now + step))]);
  };
  const pick = (event: MouseEvent) => {
    if (onPick === undefined || cursor === undefined) return;
    const y = event.clientY - (box.current?.getBoundingClientRect().top ?? 0);
    const [nearest] = [...read].sort((a, b) => Math.abs(toY(a.value) - y) - Math.abs(toY(b.value) - y));
    if (nearest !== undefined && Math.abs(toY(nearest.value) - y) < NEAR) onPick(nearest.id);
  };
  return (
    <div class="line-chart" ref={box}>
      <svg
        class={`chart${onPick === undefined ? '' : ' pickable'}`}
        role="img"
        aria-label={label}
        tabIndex={0}
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        onPointerMove={(event) => setCursor(nearestTo(event.clientX))}
        onPointerLeave={() => setCursor(undefined)}
        onBlur={() => setCursor(undefined)}
        onKeyDown={onKeyDown}
        onClick={pick}
      >
        {yTicks.map((y) => (
          <g key={y}>
            <line
              x1={MARGIN.left}
              x2={width - MARGIN.right}
              y1={toY(y)}
              y2={toY(y)}
              stroke="currentColor"
              stroke-opacity={0.12}
            />
            <text x={MARGIN.left - 8} y={toY(y)} dy="0.32em" text-anchor="end" fill="currentColor">
              {shares ? `${Math.round(100 * y)} %` : short(y)}
            </text>
          </g>
        ))}
        {xTicks.map((x) => (
          <text key={x} x={toX(x)} y={height - MARGIN.bottom + 16} text-anchor="middle" fill="currentColor">
            {count(x)}
          </text>
        ))}
        <text x={MARGIN.left} y={12} text-anchor="start" fill="currentColor">
          {quantity}
        </text>
        <text x={width - MARGIN.right} y={height - 4} text-anchor="end" fill="currentColor">
          {axis}
        </text>
        {marked.map((x) => (
          <line
            key={x}
            class="mark"
            x1={toX(x)}
            x2={toX(x)}
            y1={MARGIN.top}
            y2={height - MARGIN.bottom}
            stroke="currentColor"
            stroke-dasharray="3 3"
            stroke-opacity={0.5}
          />
        ))}
        {paths.map(({ id, path, colour, points }) => (
          <g key={id} opacity={highlighted === undefined || highlighted === id ? 1 : 0.3}>
            <path
              d={path}
              fill="none"
              stroke={`var(--series-${colour % 10})`}
              stroke-width={highlighted === id ? 3 : 1.8}
              stroke-linejoin="round"
            />
            {points.length === 1
              ? points.map(([x, y]) => (
                  <circle key={x} cx={toX(x)} cy={toY(y)} r={3} fill={`var(--series-${colour % 10})`} />
                ))
              : null}
          </g>
        ))}
        {cursor === undefined ? null : (
          <g class="cursor">
            <line
              x1={toX(cursor)}
              x2={toX(cursor)}
              y1={MARGIN.top}
              y2={height - MARGIN.bottom}
              stroke="currentColor"
              stroke-opacity={0.4}
            />
            {read.map(({ id, value, colour }) => (
              <circle key={id} cx={toX(cursor)} cy={toY(value)} r={3.5} fill={`var(--series-${colour % 10})`} />
            ))}
          </g>
        )}
      </svg>
      <p class="reading" aria-live="polite">
        {cursor === undefined
          ? ''
          : `${axis} ${count(cursor)}: ${read
              .slice(0, MOST_READ)
              .map(({ name, value }) => (series.length === 1 ? text(value) : `${name} ${text(value)}`))
              .join(', ')}${read.length > MOST_READ ? ' …' : ''}`}
      </p>
    </div>
  );
}

/** Most shares are above 0; κ need not be. */
function rangeOfShares(points: readonly (readonly [x: number, y: number])[]): [number, number] {
  const least = points.reduce((low, [, y]) => Math.min(low, y), 0);
  return [least === 0 ? 0 : Math.floor(5 * least) / 5, 1];
}

function valuesAt(series: readonly Series[], place: number) {
  return series.flatMap(({ id, name, colour, points }) => {
    const found = points.find(([x]) => x === place);
    return found === undefined ? [] : [{ id, name, colour, value: found[1] }];
  });
}

import { dot, line, ruleX } from '@observablehq/plot';
import { count } from '../../wording/numbers.js';
import type { Html } from '../html.js';
import { chart, seriesColour } from './chart.js';

/** Something that was measured in every epoch. */
interface Curve {
  /** Which colour it has. */
  readonly series: number;
  readonly values: readonly number[];
}

interface CurvesOptions {
  readonly label: string;
  readonly quantity: string;
  readonly curves: readonly Curve[];
  /** Whether values are shares of 1. */
  readonly shares: boolean;
  /** An epoch to point out, from 0. */
  readonly marked?: number;
  /** What is counted instead of epochs, and how many of it an epoch has. */
  readonly unit?: { readonly name: string; readonly perEpoch: number };
}

/** Epochs up to which every one gets a dot. */
const DOTTED = 30;

/** Learning curves over epochs, counted from 1. */
export function curvesChart(options: CurvesOptions): Html {
  const { label, quantity, curves, shares, marked, unit = { name: 'epoch', perEpoch: 1 } } = options;
  const { perEpoch } = unit;
  const epochs = Math.max(...curves.map(({ values }) => values.length));
  const marks = curves.flatMap(({ series, values }) => {
    const points = values.map((value, epoch) => [(epoch + 1) * perEpoch, value] as const);
    const stroke = seriesColour(series);
    return [
      line(points, { stroke, strokeWidth: 1.8 }),
      ...(epochs <= DOTTED ? [dot(points, { fill: stroke, r: 2.4 })] : []),
    ];
  });
  return chart(label, {
    ...FRAME,
    x: {
      domain: [perEpoch, perEpoch * Math.max(2, epochs)],
      label: unit.name,
      labelArrow: 'none',
      ticks: epochTicks(epochs).map((epoch) => epoch * perEpoch),
      tickFormat: 'd',
    },
    y: { ...verticalAxis(quantity), ...(shares ? inShares([0, 1]) : { nice: true }) },
    marks: [...dashedAt(marked === undefined ? [] : [(marked + 1) * perEpoch]), ...marks],
  });
}

/** Something that was measured now and then while a stream was followed. */
interface RowCurve {
  /** Which colour it has. */
  readonly series: number;
  /** Rows so far, and the value; null where there was none. */
  readonly points: readonly (readonly [rows: number, value: number | null])[];
}

interface RowCurvesOptions {
  readonly label: string;
  readonly quantity: string;
  readonly curves: readonly RowCurve[];
  /** Rows to point out. */
  readonly marked: readonly number[];
}

/** Curves of shares over the rows of a stream. */
export function rowCurvesChart({ label, quantity, curves, marked }: RowCurvesOptions): Html {
  const all = curves.flatMap(({ points }) => points);
  const most = all.reduce((high, [rows]) => Math.max(high, rows), 1);
  // κ may be below 0.
  const least = all.reduce((low, [, value]) => Math.min(low, value ?? 0), 0);
  return chart(label, {
    ...FRAME,
    x: { domain: [0, most], label: 'row', labelArrow: 'none', ticks: 4, tickFormat: (rows: number) => count(rows) },
    y: { ...verticalAxis(quantity), ...inShares([Math.floor(5 * least) / 5, 1]) },
    marks: [
      ...dashedAt(marked),
      ...curves.flatMap(({ series, points }) => {
        const stroke = seriesColour(series);
        return points.length === 1
          ? [dot(points, { fill: stroke, r: 2.4 })]
          : [line(points, { stroke, strokeWidth: 1.8 })];
      }),
    ],
  });
}

const FRAME = { height: 230, marginLeft: 52, marginRight: 14, marginBottom: 38, marginTop: 26 };

function verticalAxis(quantity: string) {
  return { label: quantity, labelArrow: 'none', grid: true, ticks: 5 } as const;
}

function inShares(domain: readonly [number, number]) {
  return { domain, tickFormat: (share: number) => `${Math.round(100 * share)} %` };
}

function dashedAt(places: readonly number[]) {
  return places.length === 0 ? [] : [ruleX(places, { strokeDasharray: '3 3', strokeOpacity: 0.5 })];
}

function epochTicks(epochs: number): number[] {
  const scale = 10 ** Math.max(0, Math.floor(Math.log10(epochs / 8)));
  const step = [1, 2, 5, 10].map((factor) => factor * scale).find((size) => epochs / size <= 8) ?? 1;
  return step === 1 ? Array.from({ length: Math.max(2, epochs) }, (_, i) => i + 1) : [1, ...multiples(step, epochs)];
}

function multiples(step: number, most: number): number[] {
  return Array.from({ length: Math.floor(most / step) }, (_, i) => (i + 1) * step);
}

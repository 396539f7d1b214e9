import { axisX, dot } from '@observablehq/plot';
import { at } from '../../checked-access.js';
import type { Html } from '../../report/html.js';
import { shortName, textWidth } from '../../report/names.js';
import { chart, seriesColour, seriesSymbol } from '../../report/plots/chart.js';
import { indexIn, isList, type Parameter } from '../domain.js';
import type { TrialOutcome } from '../outcome.js';
import { valueText } from '../values.js';

/** What marks stand for, in the order of their colours and symbols. */
export const KINDS = ['trained to the end', 'stopped before'] as const;

/** Pixels: between labels, for all of them side by side, and for a line of them with the axis' own. */
const GAP = 8;
const ROOM = 330;
const ONE_LINE = 38;

/** The score of every trial against its value of one option. Those that diverged have none. */
export function scoreScatter({ path, domain }: Parameter, trials: readonly TrialOutcome[]): Html {
  const x = (trial: TrialOutcome) =>
    isList(domain) ? indexIn(domain, trial.values[path]) : Number(trial.values[path]);
  const scored = trials.filter(({ score }) => score !== null);
  // Those of the end are drawn last, on top.
  const marks = KINDS.map((_, kind) =>
    dot(
      scored.filter(({ isComplete }) => isComplete === (kind === 0)),
      {
        x,
        y: ({ score }: TrialOutcome) => score,
        fill: seriesColour(kind),
        fillOpacity: 0.8,
        symbol: seriesSymbol(kind),
        r: 4,
      },
    ),
  ).reverse();
  const { scale, ticks, below } = ticksOf(domain);
  return chart(`Validation soft accuracy of the trials against ${path}; the table has the numbers`, {
    height: 192 + below,
    marginLeft: 52,
    marginRight: 16,
    marginBottom: below,
    marginTop: 26,
    x: scale,
    y: {
      label: 'validation soft accuracy',
      labelArrow: 'none',
      grid: true,
      nice: true,
      ticks: 5,
      tickFormat: (share: number) => `${(100 * share).toFixed(0)} %`,
    },
    marks: [...marks, axisX({ ...ticks, label: path, labelArrow: 'none', labelOffset: below - 4 })],
  });
}

/** The scale of a domain, its labels, and the pixels that these need below the chart. */
function ticksOf(domain: Parameter['domain']) {
  if (!isList(domain)) {
    const { scale: type, from, to } = domain;
    const values = type === 'log' ? logTicks(from, to) : 5;
    return {
      scale: { type, domain: [from, to] },
      ticks: { ticks: values, tickFormat: '~g' },
      below: ONE_LINE,
    } as const;
  }
  const names = domain.map((value) => shortName(valueText(value)));
  const widest = Math.max(...names.map(textWidth));
  const upright = widest + GAP <= ROOM / names.length;
  const scale = { type: 'point', domain: names.map((_, i) => i) } as const;
  const tickFormat = (i: number) => at(names, i);
  return upright
    ? { scale, ticks: { tickFormat }, below: ONE_LINE }
    : { scale, ticks: { tickFormat, tickRotate: -90 }, below: widest + ONE_LINE };
}

/** Powers of ten; with few of them inside, what lies between as well. */
function logTicks(from: number, to: number): number[] {
  const decades = Math.log10(to / from);
  const steps = decades >= 2 ? [1] : decades >= 1 ? [1, 3] : [1, 2, 5];
  const powers = Array.from({ length: Math.ceil(decades) + 2 }, (_, i) => Math.floor(Math.log10(from)) + i);
  const ticks = powers.flatMap((power) => steps.map((step) => Number(`${step}e${power}`)));
  const inside = ticks.filter((tick) => tick >= from && tick <= to);
  return inside.length > 1 ? inside : [from, to];
}

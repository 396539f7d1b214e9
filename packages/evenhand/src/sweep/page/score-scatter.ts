import { dot } from '@observablehq/plot';
import { at } from '../../checked-access.js';
import type { Html } from '../../report/html.js';
import { shortName } from '../../report/names.js';
import { chart, seriesColour, seriesSymbol } from '../../report/plots/chart.js';
import { indexIn, isList, type Parameter } from '../domain.js';
import type { TrialOutcome } from '../outcome.js';
import { valueText } from '../values.js';

/** What marks stand for, in the order of their colours and symbols. */
export const KINDS = ['trained to the end', 'stopped before'] as const;

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
  return chart(`Validation soft accuracy of the trials against ${path}; the table has the numbers`, {
    height: 230,
    marginLeft: 52,
    marginRight: 16,
    marginBottom: 38,
    marginTop: 26,
    x: { ...scaleOf(domain), label: path, labelArrow: 'none' },
    y: {
      label: 'validation soft accuracy',
      labelArrow: 'none',
      grid: true,
      nice: true,
      ticks: 5,
      tickFormat: (share: number) => `${(100 * share).toFixed(0)} %`,
    },
    marks,
  });
}

function scaleOf(domain: Parameter['domain']) {
  if (!isList(domain))
    return { type: domain.scale, domain: [domain.from, domain.to], ticks: 5, tickFormat: '~g' } as const;
  const names = domain.map((value) => shortName(valueText(value), 330 / domain.length));
  return { type: 'point', domain: names.map((_, i) => i), tickFormat: (i: number) => at(names, i) } as const;
}

import type { EpochGenerator } from '../../runs/generator-file.js';
import { type Html, html } from '../html.js';
import { seriesLegend } from '../legend.js';
import { curvesChart } from '../plots/curves.js';
import type { RunData } from '../run-data.js';

type RecordedRate = EpochGenerator['enhancementRate'];

/** ε and μ over epochs, where they were not the same in all. */
export function ratesOverEpochs({ generators, evaluation }: Pick<RunData, 'generators' | 'evaluation'>): Html {
  const charts = [
    rateChart(
      'ε',
      'enhancement rate ε',
      generators.map(({ enhancementRate }) => enhancementRate),
      evaluation.weights.epoch,
    ),
    rateChart(
      'μ',
      'updating rate μ',
      generators.map(({ updatingRate }) => updatingRate),
      evaluation.weights.epoch,
    ),
  ].filter((chart) => chart !== undefined);
  if (charts.length === 0) return html``;
  return html`<h3>The rates of the encoding</h3>
<p>ε says how strongly confusion changes the labels, μ how much of each epoch's measurement enters them.</p>
<div class="charts">${charts}</div>`;
}

/** Undefined for a rate that was not recorded, or never changed. */
function rateChart(symbol: string, name: string, rates: readonly RecordedRate[], marked: number): Html | undefined {
  const recorded = rates.filter((rate) => rate !== undefined);
  const spread = recorded.map(spreadOf);
  const [first] = spread;
  if (first === undefined) return undefined;
  const perClass = recorded.some((rate) => typeof rate !== 'number');
  if (!perClass && spread.every(([rate]) => rate === first[0])) return undefined;
  const names = perClass ? ['largest of the classes', 'median', 'smallest'] : [name];
  return html`<figure><h4>${symbol}</h4>${seriesLegend(names)}${curvesChart({
    label: `${name} over epochs`,
    quantity: name,
    curves: names.map((_, series) => ({ series, values: spread.map((rate) => rate[series] ?? 0) })),
    shares: false,
    marked,
  })}</figure>`;
}

/** The largest, the median and the smallest rate of an epoch. */
function spreadOf(rate: number | readonly number[]): readonly number[] {
  if (typeof rate === 'number') return [rate, rate, rate];
  const sorted = [...rate].sort((a, b) => b - a);
  return [sorted[0] ?? 0, sorted[Math.floor(sorted.length / 2)] ?? 0, sorted.at(-1) ?? 0];
}

import { dot } from '@observablehq/plot';
import { type Html, html } from './html.js';
import { chart, seriesColour, seriesSymbol } from './plots/chart.js';

/** Names of series beside their symbols and colours. */
export function seriesLegend(names: readonly (string | Html)[]): Html {
  const items = names.map((name, i) => html`<li>${swatch(i)}<span>${name}</span></li>`);
  return html`<ul class="legend">${items}</ul>`;
}

function swatch(series: number): Html {
  const mark = dot([[0, 0]], { fill: seriesColour(series), symbol: seriesSymbol(series), r: 4.5 });
  const scale = { domain: [-1, 1], axis: null };
  return chart(null, { width: 14, height: 14, margin: 0, x: scale, y: scale, marks: [mark] });
}

/** What the colour of a heat map stands for. */
export function rampLegend(kind: 'shares' | 'changes', low: string, high: string): Html {
  return html`<ul class="legend"><li><span>${low}</span><span class="ramp ${kind}"></span><span>${high}</span></li></ul>`;
}

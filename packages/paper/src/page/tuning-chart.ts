import { axisX, axisY, cell, frame, text } from '@observablehq/plot';
import type { Html } from 'evenhand/report';
import { chart } from 'evenhand/report';

/** What tuning found at one ε and μ. */
export interface TunedRates {
  readonly enhancementRate: number;
  readonly updatingRate: number;
  /** Mean over draws, a share. */
  readonly score: number;
  /** Whether the tables use these. */
  readonly used: boolean;
}

const WIDTH = 46;
const HEIGHT = 30;
/** Opacities: the lowest value is still seen as a cell, and numbers are read on the highest, light or dark. */
const FAINTEST = 0.06;
const STRONGEST = 0.6;

/** Scores over ε × μ, in per cent; colours run from the lowest to the highest of the map. */
export function tuningChart(label: string, found: readonly TunedRates[]): Html {
  const values = found.map(({ score }) => score);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const shade = ({ score }: TunedRates) =>
    FAINTEST + (STRONGEST - FAINTEST) * (high === low ? 0.5 : (score - low) / (high - low));
  const across = ascending(found.map(({ enhancementRate }) => enhancementRate));
  const up = ascending(found.map(({ updatingRate }) => updatingRate)).reverse();
  const position = { x: 'enhancementRate', y: 'updatingRate' };
  return chart(label, {
    width: WIDTH * across.length + 74,
    height: HEIGHT * up.length + 52,
    marginLeft: 66,
    marginRight: 8,
    marginTop: 8,
    marginBottom: 44,
    x: { type: 'band', domain: across, padding: 0 },
    y: { type: 'band', domain: up, padding: 0 },
    marks: [
      cell(found, { ...position, fill: 'var(--heat)', fillOpacity: (one) => Math.round(100 * shade(one)) / 100 }),
      text(found, {
        ...position,
        text: ({ score }) => (100 * score).toFixed(1),
        fontSize: 11,
      }),
      cell(
        found.filter(({ used }) => used),
        { ...position, fill: 'none', stroke: 'var(--series-1)', strokeWidth: 3, inset: 1.5 },
      ),
      frame({ strokeOpacity: 0.4 }),
      axisX({ tickSize: 0, label: 'enhancement rate ε', labelAnchor: 'center', labelArrow: 'none', labelOffset: 38 }),
      axisY({ tickSize: 0, label: 'updating rate μ', labelAnchor: 'center', labelArrow: 'none', labelOffset: 60 }),
    ],
  });
}

function ascending(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}

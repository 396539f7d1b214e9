import { cell, frame } from '@observablehq/plot';
import { at } from '../../checked-access.js';
import { type EpochGenerator, entriesOf } from '../../runs/generator-file.js';
import type { Html } from '../html.js';
import { chart } from './chart.js';
import type { ChartClasses } from './class-rows.js';

const SIDE = 150;
/** Of the largest entry: what is smaller is not drawn. */
const FAINTEST = 0.01;
const SHOWN = 6;

/** The largest difference of any of these matrices from the identity: what full colour stands for. */
export function largestChange(generators: readonly EpochGenerator[]): number {
  let most = 0;
  for (const generator of generators) {
    for (const { row, column, entry } of entriesOf(generator)) {
      most = Math.max(most, Math.abs(entry - (row === column ? 1 : 0)));
    }
  }
  return most;
}

/** A few of many epochs, evenly spaced, the first and the last among them. */
export function someEpochs<Item extends object>(items: readonly Item[]): Item[] {
  if (items.length <= SHOWN) return [...items];
  return Array.from({ length: SHOWN }, (_, k) => at(items, Math.round((k * (items.length - 1)) / (SHOWN - 1))));
}

/** `G − I` as a small heat map: what is added to the true class's own label, and taken from the others. */
export function generatorChart({ classOrder: order }: ChartClasses, generator: EpochGenerator, most: number): Html {
  const places = new Map(order.map((p, place) => [p, place]));
  const cells = Array.from(entriesOf(generator))
    .flatMap(({ row: p, column: q, entry }) => {
      const [row, column] = [places.get(p), places.get(q)];
      const share = (entry - (p === q ? 1 : 0)) / most;
      return row === undefined || column === undefined || Math.abs(share) < FAINTEST ? [] : [{ row, column, share }];
    })
    .sort((a, b) => a.row - b.row || a.column - b.column);
  const scale = { type: 'band', domain: [...order.keys()], padding: 0, axis: null } as const;
  return chart(`Generator matrix of epoch ${generator.epoch + 1}, minus the identity`, {
    width: SIDE,
    height: SIDE,
    margin: 1,
    x: scale,
    y: scale,
    marks: [
      cell(cells, {
        x: 'column',
        y: 'row',
        fill: ({ share }) => (share > 0 ? 'var(--heat)' : 'var(--below)'),
        fillOpacity: ({ share }) => Math.round(100 * Math.abs(share)) / 100,
      }),
      frame({ strokeOpacity: 0.4 }),
    ],
  });
}

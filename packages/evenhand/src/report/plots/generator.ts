import { cell, frame } from '@observablehq/plot';
import { at } from '../../checked-access.js';
import type { EpochGenerator } from '../../runs/generator-file.js';
import type { Html } from '../html.js';
import type { RunData } from '../run-data.js';
import { chart } from './chart.js';

const SIDE = 150;
/** Of the largest entry: what is smaller is not drawn. */
const FAINTEST = 0.01;
const SHOWN = 6;

/** The largest difference of any of these matrices from the identity: what full colour stands for. */
export function largestChange(generators: readonly EpochGenerator[]): number {
  let most = 0;
  for (const { generator } of generators) {
    for (const [p, row] of generator.entries()) {
      for (const [q, entry] of row.entries()) most = Math.max(most, Math.abs(entry - (p === q ? 1 : 0)));
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
export function generatorChart(run: RunData, { epoch, generator }: EpochGenerator, most: number): Html {
  const order = run.classOrder;
  const cells = order.flatMap((p, row) =>
    order
      .map((q, column) => ({ row, column, share: (at(at(generator, p), q) - (p === q ? 1 : 0)) / most }))
      .filter(({ share }) => Math.abs(share) >= FAINTEST),
  );
  const scale = { type: 'band', domain: [...order.keys()], padding: 0, axis: null } as const;
  return chart(`Generator matrix of epoch ${epoch + 1}, less the identity`, {
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

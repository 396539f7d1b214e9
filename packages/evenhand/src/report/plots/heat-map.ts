import { axisX, axisY, cell, frame, ruleX, ruleY, text } from '@observablehq/plot';
import type { Html } from '../html.js';
import { textWidth } from '../names.js';
import type { RunData } from '../run-data.js';
import { chart } from './chart.js';
import { classLabels } from './class-rows.js';

/** Cells of a large matrix that would be nearly invisible are not drawn. */
const FAINTEST = 0.004;
/** Classes up to which numbers stand in the cells. */
const NUMBERED = 12;
const LABEL_HEIGHT = 13;

/**
 * A matrix whose rows are the true classes and sum to 1, as a heat map in the order of training instances.
 *
 * @param matrix - `[true class, predicted class]`; rows of NaN for classes without instances
 */
export function heatMap(run: RunData, label: string, matrix: Float64Array): Html {
  const classes = run.classNames.length;
  const names = classLabels(run);
  const size = Math.max(6, Math.min(30, Math.floor(300 / classes)));
  const side = size * classes;
  const margin = Math.max(...names.map(textWidth)) + 8;
  const upright = names.every((name) => textWidth(name) <= size);
  const below = upright ? 16 : margin;
  const order = run.classOrder;
  const cells = order.flatMap((p, row) =>
    order
      .map((q, column) => ({ row, column, share: matrix[p * classes + q] ?? Number.NaN }))
      .filter(({ share }) => share >= FAINTEST),
  );
  // Thinned out so that labels do not overlap.
  const step = Math.ceil(LABEL_HEIGHT / size);
  const ticks = order.flatMap((_, place) => (place % step === 0 ? [place] : []));
  const tickFormat = (place: number) => names[order[place] ?? 0] ?? '';
  const firstOfMinority = order.findIndex((p) => run.minority.has(p));
  const border = { strokeDasharray: '2 3', strokeOpacity: 0.6 };
  return chart(label, {
    width: side + margin + 32,
    height: side + below + 40,
    marginLeft: margin + 26,
    marginRight: 6,
    marginTop: 6,
    marginBottom: below + 34,
    x: { type: 'band', domain: order.map((_, place) => place), padding: 0 },
    y: { type: 'band', domain: order.map((_, place) => place), padding: 0 },
    marks: [
      cell(cells, {
        x: 'column',
        y: 'row',
        fill: 'var(--heat)',
        fillOpacity: ({ share }) => Math.round(100 * share) / 100,
      }),
      ...(classes <= NUMBERED
        ? [
            text(cells, {
              x: 'column',
              y: 'row',
              text: ({ share }) => `${Math.round(100 * share)}`,
              fill: ({ share }) => (share > 0.5 ? 'var(--on-heat)' : 'currentColor'),
              fontSize: 10,
            }),
          ]
        : []),
      frame({ strokeOpacity: 0.4 }),
      ...(firstOfMinority > 0
        ? [
            ruleY([firstOfMinority], { ...border, dy: -size / 2 }),
            ruleX([firstOfMinority], { ...border, dx: -size / 2 }),
          ]
        : []),
      axisX(ticks, {
        tickSize: 0,
        tickPadding: 5,
        tickRotate: upright ? 0 : -90,
        tickFormat,
        label: 'predicted class',
        labelArrow: 'none',
        labelOffset: below + 26,
      }),
      axisY(ticks, {
        tickSize: 0,
        tickPadding: 4,
        tickFormat,
        label: 'true class',
        labelArrow: 'none',
        labelAnchor: 'center',
        labelOffset: margin + 20,
      }),
    ],
  });
}

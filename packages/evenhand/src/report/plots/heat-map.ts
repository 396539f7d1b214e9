import { axisX, axisY, cell, frame, ruleX, ruleY, text } from '@observablehq/plot';
import { at, float64At } from '../../checked-access.js';
import { count } from '../../wording/numbers.js';
import type { Html } from '../html.js';
import { textWidth } from '../names.js';
import { chart } from './chart.js';
import { type ChartClasses, classLabels } from './class-rows.js';

/** Of full colour: fainter cells are not drawn. Also the smallest share that is not 0 in whole per cent. */
const FAINTEST = 0.005;
/** Pixels. Cells get as large as they may, but a chart no wider than a column of the page. */
const LARGEST_CELL = 48;
const SMALLEST_CELL = 6;
const MATRIX_WIDTH = 300;
const COLUMN_WIDTH = 464;
/** Classes up to which numbers stand in the cells. */
const NUMBERED = 12;
const LABEL_HEIGHT = 13;

/** Whether there is room for numbers in the cells. */
export function isNumbered(classes: number): boolean {
  return classes <= NUMBERED;
}

/**
 * A matrix whose rows are the true classes and sum to 1, as a heat map in the order of training instances.
 *
 * @param matrix - `[true class, predicted class]`; rows of NaN for classes without instances
 * @param full - the share that full colour stands for
 * @param counts - the instances behind each share, which then stand below it
 */
export function heatMap(run: ChartClasses, label: string, matrix: Float64Array, full = 1, counts?: Float64Array): Html {
  const classes = run.classNames.length;
  const order = run.classOrder;
  const labels = classLabels(run);
  const names = order.map((p) => at(labels, p));
  const margin = Math.max(...names.map(textWidth)) + 8;
  const room = Math.min(MATRIX_WIDTH, COLUMN_WIDTH - margin - 32);
  const size = Math.max(SMALLEST_CELL, Math.min(LARGEST_CELL, Math.floor(room / order.length)));
  const side = size * order.length;
  const upright = names.every((name) => textWidth(name) <= size);
  const below = upright ? 16 : margin;
  const cells = order.flatMap((p, row) =>
    order
      .map((q, column) => {
        const cell = p * classes + q;
        return {
          row,
          column,
          share: float64At(matrix, cell),
          instances: counts === undefined ? 0 : float64At(counts, cell),
        };
      })
      .filter(({ share, instances }) => share >= FAINTEST * full || (isNumbered(classes) && instances > 0)),
  );
  // Thinned out so that labels do not overlap.
  const step = Math.ceil(LABEL_HEIGHT / size);
  const ticks = [...order.keys()].filter((index) => index % step === 0);
  const tickFormat = (index: number) => at(names, index);
  const firstOfMinority = order.findIndex((p) => run.minority.has(p));
  const border = { strokeDasharray: '2 3', strokeOpacity: 0.6 };
  return chart(label, {
    width: side + margin + 32,
    height: side + below + 40,
    marginLeft: margin + 26,
    marginRight: 6,
    marginTop: 6,
    marginBottom: below + 34,
    x: { type: 'band', domain: [...order.keys()], padding: 0 },
    y: { type: 'band', domain: [...order.keys()], padding: 0 },
    marks: [
      cell(cells, {
        x: 'column',
        y: 'row',
        fill: 'var(--heat)',
        fillOpacity: ({ share }) => Math.round((100 * share) / full) / 100,
      }),
      ...(isNumbered(classes)
        ? [
            text(cells, {
              x: 'column',
              y: 'row',
              text: ({ share }) => (share < FAINTEST ? '<1' : `${Math.round(100 * share)}`),
              fill: ({ share }) => (share > 0.7 * full ? 'var(--on-heat)' : 'currentColor'),
              fontSize: 10,
              dy: counts === undefined ? 0 : -5,
            }),
          ]
        : []),
      ...(isNumbered(classes) && counts !== undefined
        ? [
            text(cells, {
              x: 'column',
              y: 'row',
              text: ({ instances }) => count(instances),
              fill: ({ share }) => (share > 0.7 * full ? 'var(--on-heat)' : 'currentColor'),
              fontSize: 8.5,
              dy: 6,
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

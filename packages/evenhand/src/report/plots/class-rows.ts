import { type AxisXOptions, axisX } from '@observablehq/plot';
import { at } from '../../checked-access.js';
import { chartNames, textWidth } from '../names.js';
import type { RunData } from '../run-data.js';

const ROW = 20;
/** Classes up to which a chart with a row each shows all of them at once. */
const FEW = 30;

/** The classes that a chart is about: it shows those of `classOrder`. */
export type ChartClasses = Pick<RunData, 'classNames' | 'classOrder' | 'minority'>;

/** Marks the minority classes wherever they are named. */
export const MINORITY_MARK = '◆';

/** Whether there are so many classes that what has a row for each gets a box of its own that scrolls. */
export function hasManyClasses({ classOrder }: ChartClasses): boolean {
  return classOrder.length > FEW;
}

/** Names of all classes for a chart, in the order of the class names, those of the minority marked. */
export function classLabels({ classNames, minority }: ChartClasses): string[] {
  return chartNames(classNames).map((name, p) => (minority.has(p) ? `${MINORITY_MARK} ${name}` : name));
}

/** Options of a chart with one row per class, from most to fewest training instances. */
export function classRows(run: ChartClasses) {
  const labels = classLabels(run);
  const shown = run.classOrder.map((p) => at(labels, p));
  const marginTop = hasManyClasses(run) ? 38 : 8;
  return {
    labels,
    options: {
      marginLeft: Math.max(...shown.map(textWidth)) + 14,
      marginRight: 20,
      marginTop,
      marginBottom: 38,
      height: shown.length * ROW + marginTop + 38,
      y: { domain: shown, label: null, tickSize: 0, padding: 0.2 },
    },
    /** The other axis. A chart that scrolls needs it at its top, too. */
    axes: (axis: AxisXOptions) =>
      (hasManyClasses(run) ? (['top', 'bottom'] as const) : (['bottom'] as const)).map((anchor) =>
        axisX({ ...axis, labelArrow: 'none', anchor }),
      ),
  };
}

import type { DataCheckResult } from 'evenhand/studio';
import { Figure } from './figure.js';
import { count } from './format.js';

const WIDTH = 640;
const LEFT = 150;
const ROW = 22;
/** Of very many classes, the commonest and the rarest. */
const MOST = 40;
const LONGEST = 20;

type Classes = NonNullable<DataCheckResult['classes']>;

/** Instances of every class as bars on a logarithmic scale: the rare ones can be seen beside the frequent ones. */
export function ClassCounts({ classes }: { readonly classes: Classes }) {
  const bySize = [...classes].sort((a, b) => b.all - a.all);
  const shown = bySize.length <= MOST ? bySize : [...bySize.slice(0, MOST / 2), ...bySize.slice(-MOST / 2)];
  const most = Math.max(10, ...shown.map(({ all }) => all));
  const widthOf = (value: number) => (value < 1 ? 0 : 8 + ((WIDTH - LEFT - 90) * Math.log10(value)) / Math.log10(most));
  const height = ROW * shown.length + 8;
  return (
    <Figure
      title="Classes"
      caption={`Instances of every class, on a logarithmic scale${shown.length < bySize.length ? `: the ${MOST / 2} commonest and the ${MOST / 2} rarest of ${bySize.length}` : ''}. After the number: how many would be for training and for testing.`}
    >
      <svg
        class="chart"
        role="img"
        aria-label={shown.map(({ name, all }) => `${name}: ${all}`).join(', ')}
        width={WIDTH}
        height={height}
        viewBox={`0 0 ${WIDTH} ${height}`}
      >
        {shown.map(({ name, all, training, test }, i) => (
          <g key={name}>
            <text x={LEFT - 8} y={ROW * i + 15} text-anchor="end" fill="currentColor">
              {name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name}
            </text>
            <rect x={LEFT} y={ROW * i + 3} width={widthOf(all)} height={ROW - 6} rx={2} fill="var(--heat)" />
            <text x={LEFT + widthOf(all) + 6} y={ROW * i + 15} fill="currentColor">
              {count(all)}
              {training === null ? '' : ` (${count(training)} / ${count(test ?? 0)})`}
            </text>
          </g>
        ))}
      </svg>
    </Figure>
  );
}

import type { Series } from '../charts/line-chart.js';

interface LegendProps {
  readonly series: readonly Pick<Series, 'id' | 'name' | 'colour'>[];
  /** The one that stands out; a click chooses another. */
  readonly highlighted?: string | undefined;
  readonly onPick?: (id: string) => void;
}

/** Names of lines beside their colours. */
export function Legend({ series, highlighted, onPick }: LegendProps) {
  return (
    <ul class="legend">
      {series.map(({ id, name, colour }) => (
        <li key={id}>
          <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
            <circle cx="7" cy="7" r="4.5" fill={`var(--series-${colour % 10})`} />
          </svg>
          {onPick === undefined ? (
            <bdi class="name">{name}</bdi>
          ) : (
            <button type="button" class="plain" aria-pressed={highlighted === id} onClick={() => onPick(id)}>
              <bdi class="name">{name}</bdi>
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

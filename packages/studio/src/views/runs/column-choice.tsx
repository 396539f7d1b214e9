import { setQuery } from '../../navigation/route.js';
import { type Column, DEFAULT_COLUMNS } from './columns.js';

interface ColumnChoiceProps {
  readonly columns: readonly Column[];
  readonly chosen: readonly string[];
}

/** Which columns are shown: metrics, and the options in which the runs differ. */
export function ColumnChoice({ columns, chosen }: ColumnChoiceProps) {
  const toggle = (key: string) => {
    const next = chosen.includes(key) ? chosen.filter((one) => one !== key) : [...chosen, key];
    setQuery({ columns: next.length === 0 ? 'state' : next.join(',') });
  };
  return (
    <details class="menu">
      <summary class="button">columns</summary>
      <div class="menu-list">
        <button type="button" onClick={() => setQuery({ columns: DEFAULT_COLUMNS.join(',') })}>
          reset
        </button>
        {columns.map(({ key, title }) => (
          <label key={key} class="check">
            <input type="checkbox" checked={chosen.includes(key)} onChange={() => toggle(key)} />
            {title}
          </label>
        ))}
      </div>
    </details>
  );
}

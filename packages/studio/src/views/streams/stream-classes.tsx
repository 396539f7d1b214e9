import type { StreamMetricsLine } from 'evenhand/studio';
import { saveCsv } from '../../parts/csv.js';
import { count, NONE, percent } from '../../parts/format.js';
import type { StreamHistory } from '../../server/stream-history.js';
import type { Measure } from './stream-charts.js';

/** Of very many classes, the rarest. */
const MOST = 100;

interface StreamClassesProps {
  readonly now: StreamMetricsLine;
  readonly history: StreamHistory;
  readonly measure: Measure;
}

/** The classes of a stream, from the one that has been rarest of late on. */
export function StreamClasses({ now, history, measure }: StreamClassesProps) {
  const { classes, recentRows } = now;
  const all = recentRows.reduce((sum, rows) => sum + rows, 0);
  const since = new Map(history.classes.map((one) => [one.class, one.row]));
  const rows = classes
    .map((name, p) => ({
      name,
      recent: recentRows[p] ?? 0,
      share: all === 0 ? null : (recentRows[p] ?? 0) / all,
      recall: now[measure].recall[p] ?? null,
      since: since.get(name),
    }))
    .sort((a, b) => a.recent - b.recent);
  if (rows.length === 0) return null;
  const titles = ['class', 'recent rows', 'share', 'recall', 'since row'];
  const cells = rows.map(({ name, recent, share, recall, since: row }) => [
    name,
    recent.toFixed(1),
    percent(share),
    percent(recall),
    row === undefined ? NONE : count(row),
  ]);
  return (
    <section>
      <h2>Classes</h2>
      <p class="note">
        Recent rows: how many rows of the class have come recently. The newest counts 1, older ones less and less.
        {rows.length > MOST ? ` The ${MOST} rarest of ${count(rows.length)}.` : ''}
      </p>
      <section class="scroll" tabIndex={0} aria-label="Classes">
        <table class="values">
          <thead>
            <tr>
              {titles.map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cells.slice(0, MOST).map(([name, ...values]) => (
              <tr key={name}>
                <th scope="row">
                  <bdi>{name}</bdi>
                </th>
                {values.map((value, i) => (
                  <td key={titles[i + 1]}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div class="table-foot">
        <span class="save">
          <button
            type="button"
            aria-label="Save “Classes” as CSV"
            onClick={() => saveCsv([titles, ...cells], 'classes of the stream')}
          >
            CSV
          </button>
        </span>
      </div>
    </section>
  );
}

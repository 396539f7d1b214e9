import { basename, join, resolve } from 'node:path';
import { writeAtomically } from '../../files/atomic-file.js';
import { type Html, html } from '../../report/html.js';
import { named } from '../../report/names.js';
import { page, scrolling, section } from '../../report/page.js';
import { count, counted, NONE, percent } from '../../wording/numbers.js';
import { readStream } from '../folder/read-stream.js';
import { STREAM_FILES } from '../folder/stream-files.js';
import { readStreamLog } from '../folder/stream-log.js';
import { answersSection } from './answers-section.js';
import type { StreamData } from './stream-data.js';

/** Changes that are listed; of more, the last. */
const MOST_CHANGES = 200;
/** Classes that are listed; of more, the rarest. */
const MOST_CLASSES = 200;

/**
 * Writes `report.html` into the folder of a stream: one page that needs no other file and no network. It tells of the stream at its last
 * checkpoint, also while another process follows it. The same stream gives the same bytes.
 *
 * @returns its path
 * @throws {@link UserError} if there is no stream, or it cannot be read
 */
export async function writeStreamPage(folder: string): Promise<string> {
  const saved = await readStream(folder);
  const log = (await readStreamLog(folder)).map(({ entry }) => entry);
  const data: StreamData = {
    ...saved,
    name: basename(resolve(folder)),
    // A process that goes on may have written more since.
    measured: log.flatMap((entry) => (entry.kind === 'metrics' && entry.records <= saved.records ? [entry] : [])),
    changes: log.flatMap((entry) => (entry.kind === 'drift' && entry.row < saved.metrics.rows ? [entry] : [])),
    appeared: new Map(log.flatMap((entry) => (entry.kind === 'class' ? [[entry.class, entry.row] as const] : []))),
    damaged: log.filter((entry) => entry.kind === 'damaged' && entry.after < saved.records).length,
  };
  const body = html`${headline(data)}${answersSection(data)}${classesSection(data)}${changesSection(data)}${rowsSection(data)}${settingsSection(data)}`;
  const path = join(folder, STREAM_FILES.report);
  await writeAtomically(path, page(`${data.name}: ${data.options.method}`, body));
  return path;
}

function headline({ name, options, metrics, columns, changes }: StreamData): Html {
  const { windowed, faded, rows, labelled, classes } = metrics;
  const tile = (what: string, value: string, also: string) =>
    html`<li><span class="what">${what}</span><span class="value">${value}</span><span class="interval">${also}</span></li>`;
  const share = (what: string, key: 'balancedAccuracy' | 'gMean' | 'accuracy') =>
    tile(what, percent(windowed[key]), `fading ${percent(faded[key])}`);
  return html`<header>
<h1>${named(name)}: ${options.method}</h1>
<p class="lead">A stream of ${counted(rows, 'row')} and ${counted(columns.length, 'column')}; ${count(labelled)} of the rows have a class in ${named(options.target)}: ${
    classes.length === 1 ? '1 class' : `${count(classes.length)} classes`
  }. ${changes.length === 0 ? 'No change for the worse was found.' : `${counted(changes.length, 'change')} for the worse found.`}</p>
<ul class="tiles">
${share('balanced accuracy', 'balancedAccuracy')}
${share('G-mean', 'gMean')}
${tile('kappa', kappaText(windowed.kappa), `fading ${kappaText(faded.kappa)}`)}
${share('accuracy', 'accuracy')}
</ul>
<p class="note">Every row was predicted before it was learned from, so each is a fair test. The large numbers are for the last ${counted(options.window, 'row')};
fading: for all rows, each weighted ${options.fading} times as much as the next. Balanced accuracy is the mean of the recalls of the classes, the G-mean their geometric mean; kappa is how much better the answers
are than random answers with the same frequencies.</p>
</header>
`;
}

function kappaText(kappa: number | null): string {
  return kappa === null ? NONE : kappa.toFixed(2);
}

function classesSection({ metrics, appeared }: StreamData): Html {
  const { classes, recentRows, windowed, faded } = metrics;
  const all = recentRows.reduce((sum, rows) => sum + rows, 0);
  const rows = classes
    .map((name, p) => ({ name, p, recent: recentRows[p] ?? 0 }))
    .sort((a, b) => a.recent - b.recent)
    .slice(0, MOST_CLASSES)
    .map(({ name, p, recent }) => {
      const since = appeared.get(name);
      return html`<tr><th scope="row">${named(name)}</th><td>${recent.toFixed(1)}</td><td>${percent(all === 0 ? null : recent / all)}</td>
<td>${percent(windowed.recall[p] ?? null)}</td><td>${percent(faded.recall[p] ?? null)}</td><td>${since === undefined ? NONE : count(since)}</td></tr>
`;
    });
  const table = html`<table><thead><tr><th scope="col">class</th><th scope="col">recent rows</th><th scope="col">share</th><th scope="col">recall, last rows</th>
<th scope="col">recall, fading</th><th scope="col">since row</th></tr></thead><tbody>${rows}</tbody></table>`;
  return section(
    'Classes',
    html`<p class="note">The class with the fewest recent rows first${rows.length < classes.length ? `: ${MOST_CLASSES} of ${count(classes.length)}` : ''}. Among recent rows, the newest
counts 1, older ones less and less.</p>
${scrolling('Classes', table, true)}`,
  );
}

function changesSection({ changes, options }: StreamData): Html {
  if (options.drift === 'none') return html``;
  const items = changes
    .slice(-MOST_CHANGES)
    .reverse()
    .map(
      ({ row, class: name, level }) =>
        html`<li>row ${count(row)}: ${name === undefined ? 'the share of correct answers' : html`the recall of ${named(name)}`} fell to ${percent(level)}</li>
`,
    );
  return section(
    'Changes',
    items.length === 0
      ? html`<p>The detector, ${options.drift}, found none.</p>`
      : html`<p>Found by the detector, ${options.drift}; the latest first${items.length < changes.length ? `, ${MOST_CHANGES} of ${count(changes.length)}` : ''}. After each, older rows counted for less.</p>
<ul>${items}</ul>`,
  );
}

function rowsSection({ metrics, records, position, damaged }: StreamData): Html {
  const { rows, labelled, waiting, repeatedLabels, unknownLabels, repeatedRows, invalid, steps } = metrics;
  return section(
    'Rows',
    values('Rows', [
      ['lines of the source', count(records)],
      ['position in the source', position ?? NONE],
      ['lines that could not be read', count(damaged)],
      ['rows', count(rows)],
      ['rows with a label', count(labelled)],
      ['rows that are waiting for a label', count(waiting)],
      ['labels that came twice', count(repeatedLabels)],
      ['labels without a row', count(unknownLabels)],
      ['rows whose id came twice', count(repeatedRows)],
      ['values that are not numbers where one is expected', count(invalid)],
      ['learning steps', count(steps)],
    ]),
  );
}

function settingsSection({ options, columns }: StreamData): Html {
  const settings = Object.entries(options).map(
    ([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)] as const,
  );
  return section(
    'Settings',
    html`${values('Settings', settings)}
<h3>Columns</h3>
${values(
  'Columns',
  columns.map(({ name, kind }) => [name, kind] as const),
)}`,
  );
}

/** Rows of a table that scrolls by itself. */
const LONG = 40;

function values(label: string, rows: readonly (readonly [name: string, value: string])[]): Html {
  const lines = rows.map(
    ([name, value]) => html`<tr><th scope="row">${named(name)}</th><td class="text">${value}</td></tr>
`,
  );
  return scrolling(label, html`<table><tbody>${lines}</tbody></table>`, rows.length > LONG);
}

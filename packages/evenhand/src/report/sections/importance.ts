import { at } from '../../checked-access.js';
import type { Estimate } from '../../evaluation/estimate.js';
import type { ImportanceReport, NamedImportance } from '../../runs/importance-file.js';
import { count, counted, NONE, pointsOf } from '../../wording/numbers.js';
import { type Html, html } from '../html.js';
import { named } from '../names.js';
import { scrolling, section } from '../page.js';
import { importanceChart } from '../plots/importance.js';
import { type RunData, withNotableClasses } from '../run-data.js';

/** Columns that are shown, and those that are shown for each class. */
const SHOWN = 20;
const SHOWN_PER_CLASS = 10;

/** What each column of a table is worth to the model, if it was measured. */
export function importanceSection(run: RunData): Html {
  const { importance } = run;
  if (importance === undefined || importance.columns.length === 0) return html``;
  const shown = importance.columns.slice(0, SHOWN);
  const left = importance.columns.length - shown.length;
  return section(
    'What the columns are worth',
    html`<p>How much worse the model does without the information in a column: its values are shuffled among the rows. ${howMeasured(importance)}
A column whose interval contains 0 has not been shown to matter. Columns with the same information share their importance: the model can do without one as long as it has the other.</p>
<figure>${scrolling('Importance of the columns', importanceChart(shown))}</figure>
${scrolling('Importance of the columns in numbers', table(shown))}
${shown.some(({ gain }) => gain !== undefined) ? html`<p class="note">Gain is what the trees of the model made of a column: by how much its splits lower the training loss, as a share of the total over all columns. It does not say what a column is worth on new rows: a column that the trees have merely memorised has a gain, too.</p>` : ''}
${left === 0 ? '' : html`<p class="note">And ${counted(left, 'more column')}, each worth less: <code>importance.json</code>, next to this file, has all of them.</p>`}
${perClass(withNotableClasses(run), importance)}`,
  );
}

function howMeasured({ measured, rows, permutations, before }: ImportanceReport): string {
  const who =
    measured === 'out of fold'
      ? `Measured on ${counted(rows, 'training row')}, each predicted by the networks that left out its fold`
      : `Measured on ${counted(rows, 'row')} of the test set`;
  return (
    `${who}, with ${counted(permutations, 'permutation')} per column. With all columns, their balanced log-loss is ` +
    `${before.balancedLogLoss.toFixed(3)} and their balanced accuracy ${(100 * before.balancedAccuracy).toFixed(1)}\u00a0%.`
  );
}

function table(columns: readonly NamedImportance[]): Html {
  const hasGains = columns.some(({ gain }) => gain !== undefined);
  const rows = columns.map(
    ({ name, logLossRise, balancedAccuracyDrop, gain = 0 }) => html`<tr><th scope="row">${named(name)}</th>
<td>${cell(logLossRise, signed)}</td><td>${cell(negative(balancedAccuracyDrop), pointsOf)}</td>${hasGains ? html`<td>${(100 * gain).toFixed(1)}\u00a0%</td>` : ''}</tr>
`,
  );
  return html`<table><thead><tr><th scope="col">without</th><th scope="col">balanced log-loss changes by [95\u00a0%]</th><th scope="col">balanced accuracy changes by, in percentage points [95\u00a0%]</th>${hasGains ? html`<th scope="col">gain</th>` : ''}</tr></thead><tbody>${rows}</tbody></table>`;
}

/** What permuting the most important columns does to each class; opened by whoever asks for it. */
function perClass({ classOrder, classNames }: RunData, { perClass: measured }: ImportanceReport): Html {
  if (measured === null) return html``;
  const columns = measured.columns.slice(0, SHOWN_PER_CLASS);
  const head = columns.map(({ name }) => html`<th scope="col">${named(name)}</th>`);
  const rows = classOrder.map(
    (p) => html`<tr><th scope="row">${named(at(classNames, p))}</th>${columns.map(
      ({ recallDrop }) => html`<td>${cell(negative(at(recallDrop, p)), pointsOf)}</td>`,
    )}</tr>
`,
  );
  return html`<details><summary>For each class</summary>
<p>How the recall of each class changes without a column, in percentage points, with its 95\u00a0% interval; the ${count(columns.length)} most important columns.</p>
${scrolling('Importance of the columns for each class', html`<table><thead><tr><th scope="col">class</th>${head}</tr></thead><tbody>${rows}</tbody></table>`, true)}
</details>`;
}

function cell({ value, interval }: Estimate, text: (value: number) => string): Html {
  if (value === null) return html`${NONE}`;
  const ends = interval === null ? '' : `${text(interval.low)} to ${text(interval.high)}`;
  return html`${text(value)}<span class="interval">${ends}</span>`;
}

function signed(change: number): string {
  return `${change < 0 ? '−' : '+'}${Math.abs(change).toFixed(3)}`;
}

/** A drop as a change. */
function negative(drop: Estimate): Estimate {
  if (drop.interval === null) return { ...drop, value: drop.value === null ? null : 0 - drop.value };
  const { low, high } = drop.interval;
  return { value: 0 - drop.value, interval: { low: -high, high: -low } };
}

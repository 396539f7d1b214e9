import sharp from 'sharp';
import { at, float64At, int32At, uint8At } from '../../checked-access.js';
import type { Column } from '../../dataset/column.js';
import type { Dataset, ImageDataset, TableDataset } from '../../dataset/dataset.js';
import { cellText } from '../../runs/predictions-file.js';
import { count, counted, percent } from '../../wording/numbers.js';
import { type Html, html } from '../html.js';
import { named, shortName } from '../names.js';
import { section } from '../page.js';
import type { RunData } from '../run-data.js';

const SHOWN = 12;
/** Of the columns of a row, and pixels of a name or value. */
const SHOWN_COLUMNS = 8;
const WIDEST = 130;
const MISSING = 'missing';

/** A test instance with a wrong answer. */
interface WrongAnswer {
  readonly instance: string;
  readonly label: number;
  readonly answer: number;
  /** The probability of the answer. */
  readonly confidence: number;
}

/**
 * The wrong answers that the model was surest of: mislabelled instances, or what it has still to learn.
 *
 * @param dataset - the run's data, to show images and the values of rows
 */
export async function wrongExamplesSection(run: RunData, dataset: Dataset | undefined): Promise<Html> {
  const wrong = wrongAnswers(run);
  const items = await Promise.all(
    wrong.slice(0, SHOWN).map(async ({ instance, label, answer, confidence }) => {
      const kind = run.preprocessing.kind === 'table' ? 'row' : 'instance';
      const name = /^\d+$/.test(instance) ? `${kind} ${instance}` : instance;
      const picture = dataset?.kind === 'images' ? await imageOf(dataset, instance) : '';
      return html`<li>${picture === '' ? '' : html`<img src="${picture}" alt="">`}
<span>${named(name)}</span><span>is ${named(at(run.classNames, label))}</span>
<span>taken for ${named(at(run.classNames, answer))}</span><span class="note">with ${percent(confidence)}</span>${dataset?.kind === 'table' ? rowOf(dataset, instance) : ''}</li>
`;
    }),
  );
  const answered = `${count(wrong.length)} of ${count(run.predictions.labels.length)} test instances are answered wrongly`;
  if (items.length === 0) return section('Confidently wrong', html`<p>${answered}.</p>`);
  return section(
    'Confidently wrong',
    html`<p>${answered}. These are the ones that the model was most confident about: look for wrong labels, and for what it still has to learn.</p>
<ul class="wrong">${items}</ul>`,
  );
}

function wrongAnswers({ predictions, classNames }: RunData): WrongAnswer[] {
  const { instances, labels, answers, probabilities } = predictions;
  return instances
    .map((instance, i) => {
      const [label, answer] = [int32At(labels, i), int32At(answers, i)];
      return { instance, label, answer, confidence: float64At(probabilities, i * classNames.length + answer) };
    })
    .filter(({ label, answer }) => label !== answer)
    .sort((a, b) => b.confidence - a.confidence);
}

/** The values of a row, as the file has them; empty if the table has no such row. */
function rowOf(table: TableDataset, instance: string): Html {
  const row = table.rowNumbers?.indexOf(Number(instance)) ?? Number(instance) - 1;
  if (!(row >= 0 && row < table.labels.length)) return html``;
  const values = table.columns
    .slice(0, SHOWN_COLUMNS)
    .map(
      (column) => html`<dt>${shortName(column.name, WIDEST)}</dt><dd>${shortName(valueAt(column, row), WIDEST)}</dd>`,
    );
  const hidden = table.columns.length - values.length;
  return html`<dl>${values}</dl>${hidden > 0 ? html`<span class="note">and ${counted(hidden, 'column')} more</span>` : ''}`;
}

function valueAt(column: Column, row: number): string {
  if ('values' in column) {
    const value = float64At(column.values, row);
    if (Number.isNaN(value)) return MISSING;
    return column.kind === 'date' ? new Date(value).toISOString().replace('T00:00:00.000Z', '') : String(value);
  }
  const code = int32At(column.codes, row);
  return code < 0 ? MISSING : at(column.kind === 'boolean' ? column.texts : column.categories, code);
}

/** A PNG as a data URI; empty if the data set has no such instance. */
async function imageOf({ pixels, shape, files, labels }: ImageDataset, instance: string): Promise<string> {
  const index = files === undefined ? Number(instance) - 1 : files.findIndex((file) => cellText(file) === instance);
  if (!(index >= 0 && index < labels.length)) return '';
  const [channels, height, width] = shape;
  const plane = height * width;
  const first = index * channels * plane;
  const interleaved = new Uint8Array(channels * plane).map((_, k) =>
    uint8At(pixels, first + (k % channels) * plane + Math.floor(k / channels)),
  );
  const raw = { width, height, channels: channels === 3 ? (3 as const) : (1 as const) };
  const png = await sharp(interleaved, { raw }).png().toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}

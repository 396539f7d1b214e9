import sharp from 'sharp';
import { at, float64At, int32At, uint8At } from '../../checked-access.js';
import type { ImageDataset } from '../../dataset/dataset.js';
import { cellText } from '../../runs/predictions-file.js';
import { count, percent } from '../../wording/numbers.js';
import { type Html, html } from '../html.js';
import { named } from '../names.js';
import { section } from '../page.js';
import type { RunData } from '../run-data.js';

const SHOWN = 12;

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
 * @param images - the run's data, to show them
 */
export async function wrongExamplesSection(run: RunData, images: ImageDataset | undefined): Promise<Html> {
  const wrong = wrongAnswers(run);
  const items = await Promise.all(
    wrong.slice(0, SHOWN).map(async ({ instance, label, answer, confidence }) => {
      const name = /^\d+$/.test(instance) ? `instance ${instance}` : instance;
      const picture = images === undefined ? '' : await imageOf(images, instance);
      return html`<li>${picture === '' ? '' : html`<img src="${picture}" alt="">`}
<span>${named(name)}</span><span>is ${named(at(run.classNames, label))}</span>
<span>taken for ${named(at(run.classNames, answer))}</span><span class="note">with ${percent(confidence)}</span></li>
`;
    }),
  );
  const answered = `${count(wrong.length)} of ${count(run.predictions.labels.length)} test instances are answered wrongly`;
  if (items.length === 0) return section('Confidently wrong', html`<p>${answered}.</p>`);
  return section(
    'Confidently wrong',
    html`<p>${answered}. These are the ones that the model was surest of: look for wrong labels, and for what it has still to learn.</p>
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

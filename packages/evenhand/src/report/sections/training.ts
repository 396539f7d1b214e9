import type { ValidationMetrics } from '../../runs/metrics-file.js';
import { counted, countedRange } from '../../wording/numbers.js';
import { type Html, html } from '../html.js';
import { rampLegend, seriesLegend } from '../legend.js';
import { section } from '../page.js';
import { curvesChart } from '../plots/curves.js';
import { generatorChart, largestChange, someEpochs } from '../plots/generator.js';
import { type RunData, withNotableClasses } from '../run-data.js';
import { ratesOverEpochs } from './rates.js';

/** How training went. */
export function trainingSection(run: RunData): Html {
  const { epochs, evaluation } = run;
  if (epochs.length === 0) return html``; // the members of a portfolio have pages of their own
  const marked = evaluation.weights.epoch;
  const unit = unitOf(run);
  const isRefitted = evaluation.refit !== undefined && 'rows' in evaluation.refit;
  return section(
    'Training',
    html`<div class="charts">
<figure><h3>Loss</h3>${seriesLegend(['training loss'])}${curvesChart({
      label: `Training loss over ${unit.name}s`,
      quantity: `mean training loss (${run.config.loss.name})`,
      curves: [{ series: 0, values: epochs.map(({ loss }) => loss) }],
      shares: false,
      marked,
      unit,
    })}
<figcaption>With encoded labels the loss may fall below zero. The dashed line is the ${unit.name} ${isRefitted ? 'up to which the model was refitted' : 'whose weights are in the model'}.</figcaption></figure>
${validationFigure(run)}
${balancedLossFigure(run)}
</div>
${generators(run)}
${ratesOverEpochs(run)}`,
  );
}

/** Trees are counted in rounds of boosting. */
function unitOf({ config: { model } }: RunData): { readonly name: string; readonly perEpoch: number } {
  return model.name === 'trees' ? { name: 'round', perEpoch: model.roundsPerEpoch } : { name: 'epoch', perEpoch: 1 };
}

/** What chose the epoch, of runs with folds. */
function balancedLossFigure(run: RunData): Html {
  const losses = measuredEpochs(run.epochs).flatMap(({ balancedLogLoss }) => balancedLogLoss ?? []);
  if (losses.length === 0) return html``;
  const unit = unitOf(run);
  return html`<figure><h3>Out of fold</h3>${seriesLegend(['balanced log-loss'])}${curvesChart({
    label: `Balanced log-loss out of fold over ${unit.name}s`,
    quantity: 'balanced log-loss',
    curves: [{ series: 0, values: losses }],
    shares: false,
    marked: run.evaluation.weights.epoch,
    unit,
  })}
<figcaption>The mean over the classes of the mean −log p of the right class, as if all classes were equally common. Each row is predicted by the member that has not seen it. Lower is better.</figcaption></figure>`;
}

/** Over the epochs in which there were held-out instances; nothing where there never were. */
function validationFigure(run: RunData): Html {
  const { epochs, evaluation } = run;
  const measured = measuredEpochs(epochs);
  if (measured.length === 0) return html``;
  const shares = [measured.map(({ softAccuracy }) => softAccuracy), measured.map(({ accuracy }) => accuracy)];
  return html`<figure><h3>Validation</h3>${seriesLegend(['soft accuracy', 'accuracy'])}${curvesChart({
    label: `Soft accuracy and accuracy on the validation set over ${unitOf(run).name}s`,
    quantity: 'share',
    curves: shares.map((values, series) => ({ series, values })),
    shares: true,
    unit: unitOf(run),
    ...(evaluation.weights.epoch < measured.length ? { marked: evaluation.weights.epoch } : {}),
  })}
<figcaption>Soft accuracy is the mean probability of the right class, with all classes counting equally. ${validationSize(run)}${
    measured.length < epochs.length
      ? html` From epoch ${measured.length + 1} on these instances were trained on, too.`
      : ''
  }</figcaption></figure>`;
}

/** What was measured on held-out instances, for as long as there were some. */
export function measuredEpochs(epochs: RunData['epochs']): ValidationMetrics[] {
  return epochs.flatMap(({ validation }) => validation ?? []);
}

/** In words, how many instances a validation curve rests on, and how far chance alone moves it. */
export function validationSize({ evaluation: { counts } }: Pick<RunData, 'evaluation'>): Html {
  const all = counts.validation.reduce((sum, count) => sum + count, 0);
  if (all === 0) {
    const rows = counts.training.reduce((sum, count) => sum + count, 0);
    return html`It rests on ${counted(rows, 'training instance')}, all of them, each predicted by the network that has not seen it.`;
  }
  const perClass = countedRange(
    counts.validation.filter((count) => count > 0),
    'instance',
  );
  // Two standard errors of a share of 1/2, where they are largest.
  const chance = `±${Math.round(100 / Math.sqrt(all))} percentage points`;
  return html`<strong>It rests on ${counted(all, 'validation instance')}</strong>, ${perClass} per class: chance alone moves its accuracy by up to ${chance}.`;
}

/** The generator matrix over epochs, if the method ever changed it. */
function generators(all: RunData): Html {
  const run = withNotableClasses(all);
  const shown = someEpochs(run.generators);
  const most = largestChange(shown);
  if (most === 0) return html``;
  const scale = most.toPrecision(2);
  return html`<h3>How the labels were encoded</h3>
<p>The generator matrix minus the identity, from the first to the last epoch. Each row is a true class, each column a
class of its label. On the diagonal is the extra weight of neglected classes, off the diagonal what is taken from the
classes that they are confused with. The classes are in the same order as above${run.classOrder.length < run.classNames.length ? ', and only these classes' : ''}.</p>
${rampLegend('changes', `−${scale}`, `+${scale}`)}
<div class="multiples">${shown.map(
    (generator) =>
      html`<figure>${generatorChart(run, generator, most)}<figcaption>epoch ${generator.epoch + 1}</figcaption></figure>`,
  )}</div>`;
}

import { at } from '../../checked-access.js';
import { objectiveText } from '../../decision/objective-text.js';
import type { Estimate } from '../../evaluation/estimate.js';
import { baselines } from '../../evaluation/verdict.js';
import type { TestEvaluation } from '../../runs/evaluation-file.js';
import { refitText } from '../../runs/refit-text.js';
import { amount, count, decimal, intervalInPercent, percent } from '../../wording/numbers.js';
import { type Html, html } from '../html.js';
import { measuringText, named } from '../names.js';
import type { RunData } from '../run-data.js';
import { verdict } from './verdict.js';

/** Headline metrics that are shares, in the order in which they matter here. */
export const HEADLINE = [
  ['balancedAccuracy', 'balanced accuracy'],
  ['minorityAccuracy', 'minority accuracy'],
  ['accuracy', 'accuracy'],
  ['macroF1', 'macro F1'],
  ['gMean', 'G-mean'],
] as const;

/** What was trained on what, and how good it is. */
export function headline(run: RunData): Html {
  return html`<header>
<h1>${named(run.environment.dataset.name)}: ${run.config.method.name}</h1>
${headlineFigures(run)}
</header>
`;
}

/** In words and numbers, how good a run is. */
export function headlineFigures(run: RunData): Html {
  const { estimates, report, bootstrap } = run.evaluation;
  const { binary } = estimates;
  const baseline = baselines(run.evaluation);
  return html`<p class="lead">${summary(run)}</p>
${verdict(run)}
<ul class="tiles">
${HEADLINE.map(([key, name]) => tile(name, estimates[key], baseline[key]))}
${
  binary === null
    ? []
    : [
        tile('ROC AUC', binary.rocAuc, 0.5),
        tile('average precision', binary.averagePrecision, prevalence(run, binary.positive)),
      ]
}
</ul>
${costSentence(run)}
<p class="note">On the ${count(report.instances)} instances of the test set, which training never saw. Below each number: its 95\u00a0% interval,
from ${count(bootstrap.resamples)} bootstrap resamples of the test set, or Wilson's where none or all of the instances are found. The baseline is what always answering the commonest class would get${binary === null ? '' : ', and for ROC AUC and average precision what scores by chance would'}. ${MEANINGS}</p>
`;
}

/** Where costs are given: what the answers cost, and what the likeliest classes would. */
function costSentence({ evaluation: { costs } }: RunData): Html {
  if (costs === null) return html``;
  const { mean, total, likeliest } = costs;
  const interval =
    mean.interval === null ? '' : ` (95\u00a0% interval ${amount(mean.interval.low)} to ${amount(mean.interval.high)})`;
  return html`<p><strong>Mean cost ${amount(mean.value)}</strong> per test instance${interval}, ${amount(total)} in all. Always answering the likeliest
class would cost ${amount(likeliest.mean)}, ${amount(likeliest.total)} in all.</p>`;
}

/** What the headline metrics are, in a few words. */
export const MEANINGS =
  'Balanced accuracy is the mean recall of the classes: rare ones count as much as frequent ones; minority accuracy is ' +
  'the accuracy over the classes with the fewest training instances (half of the classes); the G-mean is the geometric mean of the recalls.';

/** One sentence on data, network and recipe. */
function summary({ config, evaluation: { counts, weights }, classNames, evaluation }: RunData): Html {
  const sum = (values: readonly number[]) => count(values.reduce((a, b) => a + b, 0));
  const { model, loss, optimizer } = config;
  const refit = refitText(evaluation);
  return html`${model.name} trained with ${config.method.name} and ${loss.name} on ${sum(counts.training)} instances of
${classNames.length} classes (from ${count(Math.max(...counts.training))} down to ${count(Math.min(...counts.training))} per class),
measured on ${measuringText(counts)}${evaluation.estimated === undefined ? html`, and tested on ${sum(counts.test)} others` : html``}; ${optimizer.name}, seed ${config.seed},
weights of epoch ${weights.epoch + 1} (${weights.chosen}).${refit === undefined ? '' : ` ${refit}`}${decided(evaluation, config)}`;
}

function decided(
  { decision: { calibration, answers }, counts }: TestEvaluation,
  { decision }: RunData['config'],
): string {
  if (calibration === null) return '';
  const parts = [
    `the calibration of the probabilities (temperature ${calibration.temperature.toFixed(2)})`,
    ...(decision.objective === undefined ? [] : [`the answers, for ${objectiveText(decision.objective)}`]),
  ];
  const reason = answers?.reason == null ? '' : ` Note: ${answers.reason}.`;
  return ` Fitted on ${measuringText(counts)}: ${parts.join(' and ')}.${reason}`;
}

/** The share of a class in the test set. */
export function prevalence({ evaluation: { counts } }: Pick<RunData, 'evaluation'>, p: number): number {
  return at(counts.test, p) / counts.test.reduce((sum, count) => sum + count, 0);
}

function tile(name: string, estimate: Estimate, baseline: number | null): Html {
  const without = estimate.interval === null && estimate.value === null ? estimate.reason : 'no interval';
  const note = intervalInPercent(estimate) || without;
  return html`<li><span class="what">${name}</span><span class="value">${percent(estimate.value)}</span><span class="interval">${note}</span><span class="baseline">${baseline === null ? '' : `baseline ${percent(baseline)}`}</span></li>`;
}

/** Metrics that are not shares of instances, and top-5 accuracy where there are more classes than that. */
export function furtherMetrics({ evaluation: { estimates, report }, classNames }: RunData): Html {
  const { k, accuracy } = report.topK;
  return html`<p class="note">Also: ${k < classNames.length ? `top-${k} accuracy ${percent(accuracy)}; ` : ''}Matthews correlation
${decimal(estimates.matthewsCorrelation)}; Brier score ${decimal(report.brier)} (0 is perfect, 2 the worst); log-loss ${decimal(report.logLoss)}.</p>`;
}

import { at } from '../../checked-access.js';
import { percent } from '../../wording/numbers.js';
import { type Html, html } from '../html.js';
import { named } from '../names.js';
import type { RunData } from '../run-data.js';

/** Classes that a sentence names. */
const NAMED = 5;

/** What always answering the commonest class of training would get on the test set; null where a metric is undefined. */
export function baselines({ evaluation: { counts }, classOrder, minority }: BaselineRun) {
  const commonest = at(classOrder, 0);
  const tested = counts.test.filter((count) => count > 0).length;
  const right = at(counts.test, commonest);
  const accuracy = right / counts.test.reduce((sum, count) => sum + count, 0);
  const ofMinority = counts.test.filter((_, p) => minority.has(p)).reduce((sum, count) => sum + count, 0);
  return {
    accuracy,
    balancedAccuracy: right > 0 ? 1 / tested : 0,
    minorityAccuracy: ofMinority === 0 ? null : minority.has(commonest) ? right / ofMinority : 0,
    macroF1: (2 * accuracy) / (1 + accuracy) / tested,
    gMean: tested === 1 ? 1 : 0,
  };
}

type BaselineRun = Pick<RunData, 'classOrder' | 'minority'> & {
  readonly evaluation: Pick<RunData['evaluation'], 'counts'>;
};

/** In a few sentences, whether the model is worth anything, and for which classes it is not. */
export function verdict(run: RunData): Html {
  const { estimates, counts } = run.evaluation;
  const { balancedAccuracy, accuracy } = estimates;
  const baseline = baselines(run);
  const guessing = baseline.balancedAccuracy ?? 0;
  const commonest = html`“${named(at(run.classNames, at(run.classOrder, 0)))}”`;
  const isBetter = (balancedAccuracy.interval?.low ?? balancedAccuracy.value ?? 0) > guessing;
  const price =
    (accuracy.value ?? 0) < (baseline.accuracy ?? 0)
      ? html` Its accuracy, ${percent(accuracy.value)}, is below the ${percent(baseline.accuracy)} of always answering ${commonest},
as it often is where rare classes are made to count.`
      : html``;
  const recalls = run.classOrder.flatMap((p) => {
    const { value } = at(estimates.recall, p);
    return value === null || at(counts.test, p) === 0 ? [] : [{ p, value }];
  });
  const lost = recalls.filter(({ value }) => value === 0).map(({ p }) => p);
  const weakest = recalls.reduce<(typeof recalls)[number] | undefined>(
    (least, one) => (least === undefined || one.value < least.value ? one : least),
    undefined,
  );
  return html`<p class="verdict"><strong>${isBetter ? 'Better than guessing.' : 'Not clearly better than guessing.'}</strong> On average it finds
${percent(balancedAccuracy.value)} of a class; always answering ${commonest}, the commonest class, would find ${percent(guessing)}.${price}
${lost.length > 0 ? html`<strong>${lost.length === 1 ? 'One class is lost' : `${lost.length} classes are lost`}:</strong> no test instance of ${list(run, lost)} is found.` : weakest === undefined ? '' : html`Its weakest class is “${named(at(run.classNames, weakest.p))}”, of which it finds ${percent(weakest.value)}.`}</p>`;
}

/** Names with commas between them; only the first few of many. */
function list({ classNames }: RunData, classes: readonly number[]): Html {
  const shown = classes.slice(0, NAMED).map((p, i) => html`${i === 0 ? '' : ', '}“${named(at(classNames, p))}”`);
  return html`${shown}${classes.length > NAMED ? ` and ${classes.length - NAMED} more` : ''}`;
}

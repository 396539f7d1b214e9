import type { ClassRecall, NeglectedClasses } from '../../evaluation/verdict.js';
import type { Advice } from '../../runs/advice.js';
import { leadText, verdictOn, verdictOnGroups } from '../../runs/verdict.js';
import { quoted } from '../../wording/command-line.js';
import { count, percent } from '../../wording/numbers.js';
import { type Html, html } from '../html.js';
import { named } from '../names.js';
import type { RunData } from '../run-data.js';
import { type ReportedGroup, sameTest } from '../run-groups.js';

/** Classes that a sentence names. */
const NAMED = 5;

/** In a few sentences, whether the model is worth anything, for which classes it is not, and what to try. */
export function verdict(run: RunData): Html {
  const judged = verdictOn(run);
  const { isBetterThanGuessing, balancedAccuracy, accuracy, baseline, weakest, lost, belowChance } = judged;
  const commonest = html`“${named(judged.commonest)}”`;
  const price =
    (accuracy ?? 0) < baseline.accuracy
      ? html` Its accuracy, ${percent(accuracy)}, is below the ${percent(baseline.accuracy)} of always answering ${commonest},
as it often is where rare classes are made to count.`
      : html``;
  const weakestText =
    weakest === null || lost.length + belowChance.length > 0
      ? ''
      : html`Its weakest class is “${named(weakest.name)}”, of which it finds ${percent(weakest.recall)}.`;
  return html`<p class="verdict"><strong>${isBetterThanGuessing ? 'Better than guessing.' : 'Not clearly better than guessing.'}</strong> On average it finds
${percent(balancedAccuracy)} of a class; always answering ${commonest}, the commonest class, would find ${percent(baseline.balancedAccuracy)}.${price}
${neglected(judged)}${weakestText}${tries(judged.advice)}</p>`;
}

/** In a few sentences, which of several methods is best, whether that may be luck, which classes it neglects, and what to try. */
export function comparedVerdict(groups: readonly ReportedGroup[]): Html {
  if (groups.length === 0) return html``;
  const judged = verdictOnGroups(groups, sameTest);
  const { best, balancedAccuracy, against } = judged;
  const first =
    against === null
      ? html``
      : html`<strong>Best: ${best}.</strong> On average it finds ${percent(balancedAccuracy)} of a class${leadText(judged)}. `;
  return html`<p class="verdict">${first}${neglected(judged)}${tries(judged.advice)}</p>`;
}

function neglected({ lost, belowChance, chance }: NeglectedClasses): Html {
  const title = lost.length === 1 ? 'One class is lost' : `${lost.length} classes are lost`;
  const ofLost = ({ test }: ClassRecall) => ` (${count(test)} in the test set)`;
  const ofWeak = ({ recall, test }: ClassRecall) => ` (${percent(recall)} of ${count(test)})`;
  return html`${lost.length === 0 ? '' : html`<strong>${title}:</strong> no test instance of ${list(lost, ofLost)} is found. `}${
    belowChance.length === 0
      ? ''
      : html`<strong>Found less often than by guessing</strong> (${percent(chance)}): ${list(belowChance, ofWeak)}. `
  }`;
}

function tries(advice: readonly Advice[]): Html {
  if (advice.length === 0) return html``;
  return html`To try: ${advice.map(
    ({ flags, reason }, i) => html`${i === 0 ? '' : '; '}<code>${flags.map(quoted).join(' ')}</code> (${reason})`,
  )}.`;
}

/** Names with commas between them; only the first few of many. */
function list(classes: readonly ClassRecall[], about: (recall: ClassRecall) => string): Html {
  const shown = classes.slice(0, NAMED).map((one, i) => html`${i === 0 ? '' : ', '}“${named(one.name)}”${about(one)}`);
  return html`${shown}${classes.length > NAMED ? ` and ${classes.length - NAMED} more` : ''}`;
}

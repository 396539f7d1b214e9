import { inPercent } from '../../wording/numbers.js';
import { type Html, html } from '../html.js';
import { section } from '../page.js';
import type { RunData } from '../run-data.js';

/** What the model is mixed of, if it is of several members. */
export function portfolioSection({ evaluation: { portfolio }, config }: RunData): Html {
  if (portfolio === undefined) return html``;
  return section(
    'What the model is made of',
    html`<p>Each member consists of ${config.folds} networks, or as many sets of boosted trees, each of which left out a different fold of the training rows. The predictions for rows that they
have not seen decide the weights: in each round, the member was added that made the mixture's balanced log-loss lowest.</p>
<div class="wide"><table>
<thead><tr><th scope="col">member</th><th scope="col">weight</th><th scope="col">balanced log-loss, out of fold</th><th scope="col">balanced accuracy, out of fold</th><th scope="col">epochs</th></tr></thead>
<tbody>${portfolio.map(
      ({ name, weight, balancedLogLoss, balancedAccuracy, epochs, leftOut }) =>
        html`<tr><th scope="row">${name}</th><td>${inPercent(weight)} %</td><td>${balancedLogLoss?.toFixed(3) ?? '–'}</td><td>${balancedAccuracy === null ? '–' : `${inPercent(balancedAccuracy)} %`}</td><td>${leftOut ?? epochs}</td></tr>`,
    )}</tbody></table></div>
<p>The run of each member is in the folder <code>members</code>, with its curves; <code>evenhand report</code> writes a page about it.</p>`,
  );
}

import { basename, join } from 'node:path';
import { writeAtomically } from '../../files/atomic-file.js';
import { type Html, html } from '../../report/html.js';
import { rampLegend, seriesLegend } from '../../report/legend.js';
import { named } from '../../report/names.js';
import { page, scrolling, section } from '../../report/page.js';
import { percent } from '../../wording/numbers.js';
import { parametersOf } from '../definition.js';
import { isList } from '../domain.js';
import type { TrialOutcome } from '../outcome.js';
import type { SweepResult } from '../sweep.js';
import { valueText } from '../values.js';
import { scoreMap } from './score-map.js';
import { KINDS, scoreScatter } from './score-scatter.js';

/** In the sweep's folder. */
const PAGE = 'sweep.html';

/**
 * Writes a page about a sweep that needs no other file and no network: what was searched, found, and how sensitive it is. The
 * same sweep gives the same bytes.
 *
 * @returns its path
 */
export async function writeSweepPage(result: SweepResult): Promise<string> {
  const path = join(result.folder, PAGE);
  const body = html`${headline(result)}${plots(result)}${table(result)}`;
  await writeAtomically(path, page(`Sweep of ${dataOf(result)}`, body));
  return path;
}

function headline(result: SweepResult): Html {
  const { definition, trials } = result;
  const { sampler, draws, pruning } = definition;
  const [best] = trials;
  const searched = parametersOf(definition).map(({ path, domain }) => {
    const values = isList(domain)
      ? domain.map(valueText).join(', ')
      : `${domain.from} to ${domain.to}${domain.integer ? ', integers' : ''} (${domain.scale})`;
    return html`<li><code>${path}</code>: ${values}</li>`;
  });
  return html`<header>
<h1>Sweep of ${named(dataOf(result))}</h1>
<p class="lead">${trials.length} trials by the sampler ${sampler}, each trained ${draws} times with another validation set and seed;
${pruning === false ? 'all to the end' : 'those that were behind on the way stopped early'}. Best: ${percent(best?.score ?? null)} soft accuracy.</p>
<ul>${searched}</ul>
<p class="note">Scores are the mean probability of the right class on the validation sets, all classes counting the same. No trial saw
the test set. The best score of many flatters: it was chosen for being high.</p>
</header>
`;
}

/** The name of the data set or of its file. */
function dataOf({ definition: { config } }: SweepResult): string {
  const { data } = config;
  return typeof data === 'object' && data !== null && 'source' in data ? basename(String(data.source)) : '';
}

/** Two lists make a map; else every option has its own chart. */
function plots({ definition, trials }: SweepResult): Html {
  const parameters = parametersOf(definition);
  const [first, second, ...others] = parameters;
  const scores = trials.flatMap(({ score, isComplete }) => (isComplete && score !== null ? [score] : []));
  if (scores.length === 0) return html``;
  const isMap = first !== undefined && second !== undefined && others.length === 0;
  if (isMap && isList(first.domain) && isList(second.domain)) {
    const label = `${first.path} and ${second.path}`;
    const legend = rampLegend('shares', percent(Math.min(...scores)), percent(Math.max(...scores)));
    return section('Scores', html`${legend}${scrolling(label, scoreMap(first, second, trials))}`);
  }
  const charts = parameters.map((parameter) => html`<figure>${scoreScatter(parameter, trials)}</figure>`);
  return section('Scores', html`${seriesLegend(KINDS)}<div class="charts">${charts}</div>`);
}

function table({ definition, trials }: SweepResult): Html {
  const paths = Object.keys(definition.search);
  const row = (trial: TrialOutcome) => {
    const { score, standardError, isComplete } = trial;
    const spread = standardError === null ? '' : ` ± ${(100 * standardError).toFixed(1)}`;
    const shown = score === null ? 'diverged' : `${(100 * score).toFixed(1)}${spread}`;
    return html`<tr><th scope="row">${trial.trial}</th><td>${shown}</td><td>${trial.epoch}${isComplete ? '' : ' (stopped)'}</td>
${paths.map((path) => html`<td>${valueText(trial.values[path])}</td>`)}</tr>
`;
  };
  const head = html`<tr><th scope="col">trial</th><th scope="col">soft accuracy %</th><th scope="col">epochs</th>
${paths.map((path) => html`<th scope="col">${path}</th>`)}</tr>`;
  const content = html`<table><thead>${head}</thead><tbody>${trials.map(row)}</tbody></table>`;
  return section(
    'Trials',
    html`<p class="note">From best to worst, with the standard error over ${definition.draws} draws.</p>
${scrolling('Trials', content, true)}`,
  );
}

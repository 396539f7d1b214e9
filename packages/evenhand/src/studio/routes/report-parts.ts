import type { Hono } from 'hono';
import { type Html, html } from '../../report/html.js';
import { modelCardSection } from '../../report/model-card.js';
import { section } from '../../report/page.js';
import { type RunData, readRunData } from '../../report/run-data.js';
import { classesSection, confusionSection } from '../../report/sections/classes.js';
import { furtherMetrics, headlineFigures } from '../../report/sections/headline.js';
import { importanceSection } from '../../report/sections/importance.js';
import { mapFigure, outputFigures } from '../../report/sections/outputs.js';
import { portfolioSection } from '../../report/sections/portfolio.js';
import { wrongExamplesSection } from '../../report/sections/wrong-examples.js';
import { usageSection } from '../../report/usage.js';
import { openDataset } from '../../sources/open-source.js';
import { treatRareClasses } from '../../splits/rare-classes.js';
import { UserError } from '../../user-error.js';
import { listedRun, notListed } from './listed.js';
import type { RouteContext } from './route-context.js';

/** Parts of a report, each as HTML that is inert: names are escaped, and the page's policy runs nothing. */
const PARTS: ReadonlyMap<string, (run: RunData) => Html | Promise<Html>> = new Map<
  string,
  (run: RunData) => Html | Promise<Html>
>([
  ['headline', (run) => html`${headlineFigures(run)}${furtherMetrics(run)}`],
  ['classes', classesSection],
  ['confusion', confusionSection],
  ['importance', importanceSection],
  ['portfolio', portfolioSection],
  ['outputs', (run) => section('Outputs', html`<div class="charts">${outputFigures(run)}</div>`)],
  ['map', (run) => mapFigure(run, () => undefined)],
  ['wrong', async (run) => wrongExamplesSection(run, await dataOf(run))],
  ['usage', (run) => usageSection(run.preprocessing)],
  ['card', modelCardSection],
]);

/** Runs whose files stay in memory: those that a page asks one part after the other of. */
const KEPT = 4;

/** Parts of a finished run's report. */
export function addReportRoutes(app: Hono, { index }: RouteContext): void {
  const kept = new Map<string, Promise<RunData>>();
  const dataOfRun = (folder: string, changed: number): Promise<RunData> => {
    const key = `${changed} ${folder}`;
    const found = kept.get(key) ?? readRunData(folder);
    kept.delete(key);
    kept.set(key, found);
    found.catch(() => kept.delete(key));
    for (const oldest of [...kept.keys()].slice(0, -KEPT)) kept.delete(oldest);
    return found;
  };
  app.get('/api/runs/:id/report/:part', async (c) => {
    const { folder, summary } = listedRun(index, c.req.param('id'));
    const part = PARTS.get(c.req.param('part'));
    if (part === undefined) throw notListed('part of a report');
    const { text } = await part(await dataOfRun(folder, summary.changed));
    return c.json({ html: text });
  });
}

/** The data of a run, if it is where it was and as it was. */
async function dataOf({ config, environment }: RunData) {
  try {
    const dataset = await openDataset(config.data);
    return dataset.contentHash === environment.dataset.hash
      ? treatRareClasses(dataset, config.data.rareClasses)
      : undefined;
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

import type { Hono } from 'hono';
import { html } from '../../report/html.js';
import { readRunGroups } from '../../report/run-groups.js';
import { comparedClasses, comparedConfusion, comparedHeadline } from '../../report/sections/comparison.js';
import { openRun } from '../../runs/run.js';
import { UserError } from '../../user-error.js';
import type { Comparison, OptionValue } from '../interface.js';
import { epochLine } from '../runs/epoch-lines.js';
import { type ListedRun, listedRun } from './listed.js';
import type { RouteContext } from './route-context.js';

const MOST_COMPARED = 50;

/** Runs beside each other. */
export function addCompareRoute(app: Hono, { index }: RouteContext): void {
  app.get('/api/compare', async (c) => {
    const ids = [...new Set((c.req.query('runs') ?? '').split(',').filter((id) => id !== ''))];
    if (ids.length === 0 || ids.length > MOST_COMPARED) {
      throw new UserError(`${ids.length} runs are to be compared; expected 1 to ${MOST_COMPARED}`);
    }
    const runs = ids.map((id) => listedRun(index, id));
    return c.json(await compare(runs));
  });
}

async function compare(runs: readonly ListedRun[]): Promise<Comparison> {
  const curves = await Promise.all(
    runs.map(async ({ folder, summary }) => ({
      id: summary.id,
      lines: summary.state === 'damaged' ? [] : (await (await openRun(folder)).metrics()).map(epochLine),
    })),
  );
  const shared = { runs: runs.map(({ summary }) => summary), differences: differencesOf(runs), curves };
  const finished = runs.filter(({ summary }) => summary.state === 'finished');
  if (finished.length === 0) {
    return {
      ...shared,
      html: null,
      reason: 'None of these runs is finished: there are no test results to compare yet.',
    };
  }
  try {
    const groups = await readRunGroups(finished.map(({ folder }) => folder));
    const { text } = html`${comparedHeadline(groups)}${comparedClasses(groups)}${comparedConfusion(groups)}`;
    const left = runs.length - finished.length;
    const reason =
      left === 0
        ? null
        : `${left} of the ${runs.length} runs ${left === 1 ? 'is' : 'are'} not finished and left out of the test results.`;
    return { ...shared, html: text, reason };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { ...shared, html: null, reason: `The test results cannot be compared: ${error.message}.` };
  }
}

/** Only what differs. */
function differencesOf(runs: readonly ListedRun[]): Comparison['differences'] {
  const paths = new Set(runs.flatMap(({ summary }) => Object.keys(summary.options)));
  return [...paths]
    .map((path) => ({
      path,
      values: runs.map(({ summary }): OptionValue | undefined => summary.options[path]),
    }))
    .filter(({ values }) => new Set(values).size > 1);
}

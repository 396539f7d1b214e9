import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What sticks out of a page on the right, other than in a box that scrolls. */
export function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main *')]
      .filter((element) => element.closest('.scroll') === null && element.closest('svg') === null)
      .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth)
      .map((element) => element.outerHTML.slice(0, 100)),
  );
}

/**
 * What axe calls serious or critical, each with the first element that it is about.
 *
 * @param rules - only these; all if left out
 */
export async function seriousViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const options = rules === undefined ? {} : { runOnly: rules };
  const { violations } = await page.evaluate<{
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  }>(`axe.run(${JSON.stringify({ ...options, resultTypes: ['violations'] })})`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}

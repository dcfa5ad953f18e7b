import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The result of axe for a page. */
export interface AxeFindings {
  /** One line for each element that breaks a rule. */
  readonly faults: readonly string[];
  /** Rules that at least one element obeys. An empty list would show that axe checked nothing. */
  readonly obeyed: readonly string[];
}

/** Runs the rules of WCAG 2.2 at level AA, and those of the given further tags. */
export async function askAxe(page: Page, ...more: readonly string[]): Promise<AxeFindings> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', ...more];
  // For other results axe keeps one element per rule, because describing all elements would take longer than the check.
  const options = JSON.stringify({
    runOnly: { type: 'tag', values: tags },
    resultTypes: ['violations'],
  });
  // The script stays when a reader follows a link inside of a site.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe.source);
  return (await page.evaluate(`axe.run(${options}).then(({ violations, passes }) => ({
    faults: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)),
    obeyed: passes.map(({ id }) => id),
  }))`)) as AxeFindings;
}

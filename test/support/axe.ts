import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe has to say of a page. */
export interface AxeFindings {
  /** A line for each element that breaks a rule. */
  readonly faults: readonly string[];
  /** Rules that something on the page obeys: a page on which nothing was looked at has no faults either. */
  readonly obeyed: readonly string[];
}

/** Runs the rules of WCAG 2.2 at level AA, and those of the tags given besides. */
export async function askAxe(page: Page, ...more: readonly string[]): Promise<AxeFindings> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', ...more];
  // Of what is not asked for in whole it keeps one element a rule: to describe all costs more than to look at them.
  const options = JSON.stringify({
    runOnly: { type: 'tag', values: tags },
    resultTypes: ['violations'],
  });
  await page.evaluate(axe.source);
  return (await page.evaluate(`axe.run(${options}).then(({ violations, passes }) => ({
    faults: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)),
    obeyed: passes.map(({ id }) => id),
  }))`)) as AxeFindings;
}

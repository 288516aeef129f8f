import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * The violations that axe-core finds on the current page, including its best practices: rule and elements.
 * @param rules only these, where the others were already checked on the same page
 */
export async function axeViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  const options = JSON.stringify({ resultTypes: ['violations'], runOnly: rules });
  const violations = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    `axe.run(document, ${options}).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })))`,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

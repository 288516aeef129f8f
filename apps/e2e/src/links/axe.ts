import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe-core objects to on the page as it is now: rule and elements. Its best practices count too. */
export async function axeViolations(page: Page): Promise<string[]> {
  const violations = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    `(() => { if (!window.axe) { ${axe.source} } return axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) }))); })()`,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { api } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import type { Browser } from 'playwright-core';
import { closeContext, launchBrowser, openContext } from '../browser/browser.js';
import { Looks } from '../browser/looks.js';
import { stack } from '../stack.js';

let browser: Browser;
let docs: string;

beforeAll(async () => {
  browser = await launchBrowser();
  const { error } = await api(stack().api_url).send({ method: 'GET', target: '/v1/sparks' });
  docs = String(error?.details?.['docs']);
});
afterAll(() => browser.close());

describe('ENV-05: the page that details.docs links to', () => {
  it('shows the reason, fits the screen, can be read, and axe finds nothing wrong', async () => {
    const viewport = { width: 360, height: 740 };
    const context = await openContext(browser, { viewport, reducedMotion: 'reduce' });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => problems.push(message.text()));
    page.on('requestfailed', (request) => problems.push(request.url()));
    await page.goto(docs);
    const entry = page.locator('article:target');
    expect(await entry.getByRole('heading').textContent()).toBe('CREDENTIALS_MISSING');
    await eventually(
      async () => (await entry.boundingBox())?.y ?? Infinity,
      (y) => y < viewport.height,
    );
    await new Looks('errors').check(page, 'credentials-missing');
    expect(problems).toEqual([]);
    await closeContext(context);
  });
});

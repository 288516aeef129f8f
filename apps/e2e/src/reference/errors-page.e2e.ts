import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { api } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import type { Browser } from 'playwright-core';
import { closeContext, launchBrowser, openContext } from '../browser/browser.js';
import { measureLegibility } from '../browser/legibility.js';
import { axeViolations } from '../links/axe.js';
import { stack } from '../stack.js';

/** The folder of screenshots, for inspection after a run. */
const pictures = join(tmpdir(), `vaultsvc-pages-${process.getuid?.()}`, 'errors');

let browser: Browser;
let docs: string;

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  browser = await launchBrowser();
  const { error } = await api(stack().api_url).send({ method: 'GET', target: '/v1/sparks' });
  docs = String(error?.details?.['docs']);
});
afterAll(() => browser.close());

describe.each([
  ['phone', { width: 360, height: 740 }],
  ['desktop', { width: 1280, height: 800 }],
] as const)('ENV-05: the page that details.docs links to, on a %s', (size, viewport) => {
  it.each(['light', 'dark'] as const)(
    'shows the reason, fits the screen, can be read, and axe finds nothing wrong in the %s scheme',
    async (colorScheme) => {
      const context = await openContext(browser, { viewport, colorScheme, reducedMotion: 'reduce' });
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
      await page.screenshot({ path: join(pictures, `${size}-${colorScheme}.png`) });
      const { overflow, contrast } = await measureLegibility(page);
      expect(overflow).toBe(0);
      expect(contrast).toBeGreaterThanOrEqual(4.5);
      expect(await axeViolations(page)).toEqual([]);
      expect(problems).toEqual([]);
      await closeContext(context);
    },
  );
});

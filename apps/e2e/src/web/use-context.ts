import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { closeContext, launchBrowser, openContext } from '../browser/browser.js';

/**
 * A browser for all tests of a file, with a context of its own for each: on a desktop, without motion.
 * @param begin gets the context before its test
 */
export function useContext(
  begin: (context: BrowserContext) => void,
  options: BrowserContextOptions = {},
): void {
  let browser: Browser;
  let context: BrowserContext;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  beforeEach(async () => {
    const viewport = { width: 1280, height: 800 };
    context = await openContext(browser, { viewport, reducedMotion: 'reduce', ...options });
    begin(context);
  });
  afterEach(() => closeContext(context));
  afterAll(() => browser.close());
}

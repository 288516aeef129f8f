import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../browser/browser.js';
import { Visitor } from './visitor.js';

/** Gives every test of a file a visitor of its own, whose page has to run without an error. Gives their browser. */
export function visitorForEach(welcome: (visitor: Visitor) => void): () => Browser {
  let browser: Browser;
  let visitor: Visitor;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  beforeEach(async () => {
    visitor = await Visitor.arrive(browser);
    welcome(visitor);
  });
  afterEach(async () => {
    expect(visitor.errors).toEqual([]);
    await visitor.leave();
  });
  afterAll(() => browser.close());
  return () => browser;
}

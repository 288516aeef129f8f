import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../browser/browser.js';
import { Visitor } from './visitor.js';

/** Opens a new visitor for every test and checks that its page had no errors. Returns the shared browser. */
export function useVisitor(onOpen: (visitor: Visitor) => void): () => Browser {
  let browser: Browser;
  let visitor: Visitor;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  beforeEach(async () => {
    visitor = await Visitor.open(browser);
    onOpen(visitor);
  });
  afterEach(async () => {
    expect(visitor.errors).toEqual([]);
    await visitor.close();
  });
  afterAll(() => browser.close());
  return () => browser;
}

import { chromium, type Browser } from 'playwright-core';
import { chromiumPath } from '../stack.js';

/** A browser that talks to nobody but the pages under test. Chromium refuses its sandbox to root. */
export function launchBrowser(): Promise<Browser> {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const quiet = [
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ];
  return chromium.launch({ executablePath: chromiumPath(), args: [...asRoot, ...quiet] });
}

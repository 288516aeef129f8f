import { chromium, type Browser } from 'playwright-core';
import { chromiumPath } from '../stack.js';

/** A browser without background requests. As root, Chromium runs only without its sandbox. */
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

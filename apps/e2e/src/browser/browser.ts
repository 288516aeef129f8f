import { chromium, type Browser, type BrowserContext, type BrowserContextOptions } from 'playwright-core';
import { chromiumPath } from '../stack.js';

/** Without background requests. As root, Chromium runs only without its sandbox. */
function launchOptions() {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const quiet = [
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ];
  return { executablePath: chromiumPath(), args: [...asRoot, ...quiet] };
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch(launchOptions());
}

/** A browser that keeps in a folder what it keeps of its user: history, storage, cache. */
export function launchProfile(folder: string, options: BrowserContextOptions): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, { ...launchOptions(), ...options });
}

/** A context of its own. Its waits are longer than on a busy machine, and end before Jest ends the test. */
export async function openContext(
  browser: Browser,
  options?: BrowserContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(100_000);
  return context;
}

/** Closes a context. A routed request that is still on its way would otherwise fail the test that has ended. */
export async function closeContext(context: BrowserContext | undefined): Promise<void> {
  await context?.unrouteAll({ behavior: 'ignoreErrors' });
  await context?.close();
}

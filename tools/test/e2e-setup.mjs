// The end-to-end suites talk to the real thing: one local stack for the run, started as a newcomer starts it.
import { ensureChromium } from '../stack/servers/install.mjs';
import { startOwnStack } from '../stack/own-stack.mjs';
import { freeStackPort } from '../stack/servers/ports.mjs';
import { readSettings } from '../stack/settings.mjs';

const origin = (/** @type {number} */ port) => `http://127.0.0.1:${port}`;

export default async function startStack() {
  // First: whoever has to install something is told before anything is started.
  process.env.CHROMIUM = await ensureChromium();
  const port = await freeStackPort();
  const identity = origin(readSettings({ VAULTSVC_PORT: String(port) }, []).ports.identity);
  // Another origin than those of the stack, for pages that tests serve.
  const pages = origin(port + 90);
  const stack = await startOwnStack({ port, settings: { CORS_ORIGINS: `${identity},${pages}` } });
  globalThis.vaultsvcStack = stack;
  process.env.PAGES_ORIGIN = pages;
  process.env.STACK_JSON = stack.descriptorPath;
}

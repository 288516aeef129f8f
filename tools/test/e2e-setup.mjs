// The end-to-end suites talk to one local stack, started as a newcomer starts it. It starts beside the first specs.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from '../stack/servers/install.mjs';
import { freeStackPort } from '../stack/servers/ports.mjs';
import { readSettings } from '../stack/settings.mjs';
import { startStackOfRun } from './e2e-stack.mjs';

const origin = (/** @type {number} */ port) => `http://127.0.0.1:${port}`;

export default async function startEndToEnd() {
  // First, so that a missing browser is reported before anything starts.
  process.env.CHROMIUM = await ensureChromium();
  const port = await freeStackPort();
  const identity = origin(readSettings({ VAULTSVC_PORT: String(port) }, []).ports.identity);
  // Another origin than those of the stack, for pages that tests serve.
  const pages = origin(port + 90);
  process.env.PAGES_ORIGIN = pages;
  process.env.STACK_JSON = join(mkdtempSync(join(tmpdir(), 'vaultsvc-e2e-')), 'stack.json');
  startStackOfRun({ port, settings: { CORS_ORIGINS: `${identity},${pages}` } }, process.env.STACK_JSON);
}

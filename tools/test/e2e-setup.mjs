// The end-to-end suites talk to the real thing: one local stack for the run, started as a newcomer starts it.
import { ensureChromium } from '../stack/servers/install.mjs';
import { startOwnStack } from '../stack/own-stack.mjs';

// Away from the ports that specs are given for servers of theirs (20,000 and more).
const PORT = 18_080;
const IDENTITY_ORIGIN = 'http://127.0.0.1:18084';
/** Another origin than those of the stack, for pages that tests serve. */
const PAGES_ORIGIN = 'http://127.0.0.1:18090';

export default async function startStack() {
  // First: whoever has to install something is told before anything is started.
  process.env.CHROMIUM = await ensureChromium();
  const stack = await startOwnStack({
    port: PORT,
    settings: { CORS_ORIGINS: `${IDENTITY_ORIGIN},${PAGES_ORIGIN}` },
  });
  globalThis.vaultsvcStack = stack;
  process.env.PAGES_ORIGIN = PAGES_ORIGIN;
  process.env.STACK_JSON = stack.descriptorPath;
}

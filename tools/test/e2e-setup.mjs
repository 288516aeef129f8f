// The end-to-end suites talk to the real thing: one local stack for the run, started as a newcomer starts it.
import { ensureChromium } from '../stack/servers/install.mjs';
import { startOwnStack } from '../stack/own-stack.mjs';

const PORT = 26_080;

export default async function startStack() {
  // First: whoever has to install something is told before anything is started.
  process.env.CHROMIUM = await ensureChromium();
  const stack = await startOwnStack({ port: PORT });
  globalThis.vaultsvcStack = stack;
  process.env.STACK_JSON = stack.descriptorPath;
}

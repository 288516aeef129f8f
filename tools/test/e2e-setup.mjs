// The end-to-end suites talk to the real thing: one local stack for the run, started as a newcomer starts it.
import { startOwnStack } from '../stack/own-stack.mjs';

const PORT = 26_080;

export default async function startStack() {
  const stack = await startOwnStack({ port: PORT });
  globalThis.vaultsvcStack = stack;
  process.env.STACK_JSON = stack.descriptorPath;
}

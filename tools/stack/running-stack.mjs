import { setTimeout as delay } from 'node:timers/promises';
import { banner } from './banner.mjs';
import { readJson } from './private-files.mjs';
import { say } from './progress.mjs';
import { isRunning } from './servers/children.mjs';
import { probeHttp } from './servers/probes.mjs';

/**
 * Prints the addresses of a stack that another launcher runs.
 * @param {import('./lock.mjs').Owner} owner
 * @param {import('./settings.mjs').Settings} settings
 * @returns {Promise<false>}
 * @throws with `--fresh`, or when the running stack is not healthy
 */
export async function reportRunningStack(owner, { paths, isFresh }) {
  if (isFresh)
    throw new Error(`This stack is already running (pid ${owner.pid}). Stop it before a start with --fresh.`);
  const stack = await waitForDescriptor(owner, paths.descriptor);
  await probeHttp(`${stack.api_url}/v1/health`).catch(() => {
    throw new Error(
      `This stack is already running (pid ${owner.pid}), but ${stack.api_url}/v1/health does not answer. Logs: ${paths.logs}`,
    );
  });
  say(`\n  Already running (pid ${owner.pid}).\n${banner(stack, paths.dir)}`);
  return false;
}

/**
 * Waits for the descriptor, because the other launcher may still be starting.
 * @param {import('./lock.mjs').Owner} owner
 * @param {string} path
 */
async function waitForDescriptor(owner, path) {
  let stack = readJson(path);
  if (!stack) say(`  Another launcher is starting this stack (pid ${owner.pid}); waiting for it.`);
  while (stack?.pid !== owner.pid) {
    if (!isRunning(owner)) throw new Error(`The start by pid ${owner.pid} failed; see its output.`);
    await delay(100);
    stack = readJson(path);
  }
  return stack;
}

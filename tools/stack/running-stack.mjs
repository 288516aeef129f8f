import { setTimeout as delay } from 'node:timers/promises';
import { banner } from './banner.mjs';
import { readJson } from './private-files.mjs';
import { say } from './progress.mjs';
import { isRunning } from './servers/children.mjs';
import { probeHttp } from './servers/probes.mjs';

/**
 * A second start: says where the first one is.
 * @param {import('./lock.mjs').Owner} owner
 * @param {import('./settings.mjs').Settings} settings
 * @returns {Promise<false>}
 * @throws when it was asked to begin anew, or when the first one is not well
 */
export async function showRunning(owner, { paths, isFresh }) {
  if (isFresh) throw new Error(`This stack runs already (pid ${owner.pid}). Stop it before beginning anew.`);
  const stack = await descriptionOf(owner, paths.descriptor);
  await probeHttp(`${stack.api_url}/v1/health`).catch(() => {
    throw new Error(
      `This stack runs already (pid ${owner.pid}), but ${stack.api_url}/v1/health does not answer. Logs: ${paths.logs}`,
    );
  });
  say(`\n  Already running (pid ${owner.pid}).\n${banner(stack)}`);
  return false;
}

/**
 * The first start may still be on its way.
 * @param {import('./lock.mjs').Owner} owner
 * @param {string} path
 */
async function descriptionOf(owner, path) {
  let stack = readJson(path);
  if (!stack) say(`  Another start is on its way (pid ${owner.pid}); waiting for it.`);
  while (stack?.pid !== owner.pid) {
    if (!isRunning(owner)) throw new Error(`The start of pid ${owner.pid} failed; see what it says.`);
    await delay(100);
    stack = readJson(path);
  }
  return stack;
}

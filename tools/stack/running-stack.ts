import { setTimeout as delay } from 'node:timers/promises';
import { banner } from './banner.ts';
import type { StackDescription } from './descriptor.ts';
import type { Owner } from './lock.ts';
import { readJson } from './private-files.ts';
import { say } from './progress.ts';
import { isRunning } from './servers/children.ts';
import { probeHttp } from './servers/probes.ts';
import type { Settings } from './settings.ts';

/**
 * Prints the addresses of a stack that another launcher runs.
 * @throws with `--fresh`, or when the running stack is not healthy
 */
export async function reportRunningStack(owner: Owner, { paths, isFresh }: Settings): Promise<false> {
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

/** Waits for the descriptor, because the other launcher may still be starting. */
async function waitForDescriptor(owner: Owner, path: string) {
  let stack = readJson<StackDescription>(path);
  if (!stack) say(`  Another launcher is starting this stack (pid ${owner.pid}); waiting for it.`);
  while (stack?.pid !== owner.pid) {
    if (!isRunning(owner)) throw new Error(`The start by pid ${owner.pid} failed; see its output.`);
    await delay(100);
    stack = readJson(path);
  }
  return stack;
}

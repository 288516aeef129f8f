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
 * @throws with `--fresh`, when the running stack has the other choice of `--clusters`, or when it is not healthy
 */
export async function reportRunningStack(
  owner: Owner,
  { paths, isFresh, clusters }: Settings,
): Promise<false> {
  if (isFresh)
    throw new Error(`This stack is already running (pid ${owner.pid}). Stop it before a start with --fresh.`);
  const stack = await waitForDescriptor(owner, paths.descriptor);
  assertSameServers(owner, stack, clusters !== undefined);
  await probeHttp(`${stack.api_url}/v1/health`).catch(() => {
    throw new Error(
      `This stack is already running (pid ${owner.pid}), but ${stack.api_url}/v1/health does not answer. Logs: ${paths.logs}`,
    );
  });
  say(`\n  Already running (pid ${owner.pid}).\n${banner(stack, paths.dir)}`);
  return false;
}

/** A caller who asks for clusters must not work with a stack that has none, nor the other way round. */
function assertSameServers(owner: Owner, stack: StackDescription, needsClusters: boolean) {
  const hasClusters = stack.postgres_shard_url !== undefined;
  if (hasClusters === needsClusters) return;
  const command = `VAULTSVC_DIR=… VAULTSVC_PORT=… npm start${needsClusters ? ' -- --clusters' : ''}`;
  throw new Error(
    `This stack is already running ${hasClusters ? 'with' : 'without'} --clusters (pid ${owner.pid}). Start another one in another folder, on other ports: ${command}`,
  );
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

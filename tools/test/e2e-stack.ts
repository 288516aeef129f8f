import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startTemporaryStack } from '../stack/temporary-stack.ts';

const pollMs = 100;

let starting: Promise<void> | undefined;
let stop: (() => Promise<void>) | undefined;

/**
 * Starts the stack of a run and returns at once.
 * @param descriptorPath links to the stack's `stack.json` once the stack is ready
 */
export function startStackOfRun(options: Parameters<typeof startTemporaryStack>[0], descriptorPath: string) {
  // An interrupted run ends without its teardown.
  process.once('exit', () => rmSync(dirname(descriptorPath), { recursive: true, force: true }));
  starting = startTemporaryStack(options).then(
    (stack) => {
      stop = stack.stop;
      symlinkSync(stack.descriptorPath, descriptorPath);
    },
    (error) => writeFileSync(failurePath(descriptorPath), String(error?.message ?? error)),
  );
}

/**
 * Called by each end-to-end file before it loads.
 * @throws what kept the stack from starting
 */
export async function untilStackIsReady(descriptorPath: string) {
  while (!existsSync(descriptorPath)) {
    if (existsSync(failurePath(descriptorPath)))
      throw new Error(readFileSync(failurePath(descriptorPath), 'utf8'));
    await delay(pollMs);
  }
}

export async function stopStackOfRun() {
  await starting;
  await stop?.();
}

function failurePath(descriptorPath: string) {
  return `${descriptorPath}.failure`;
}

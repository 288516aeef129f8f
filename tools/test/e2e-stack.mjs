import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startTemporaryStack } from '../stack/temporary-stack.mjs';

const pollMs = 100;

/** @type {Promise<void> | undefined} */
let starting;
/** @type {(() => Promise<void>) | undefined} */
let stop;

/**
 * Starts the stack of a run and returns at once.
 * @param {Parameters<typeof startTemporaryStack>[0]} options
 * @param {string} descriptorPath links to the stack's `stack.json` once the stack is ready
 */
export function startStackOfRun(options, descriptorPath) {
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
 * @param {string} descriptorPath
 * @throws what kept the stack from starting
 */
export async function untilStackIsReady(descriptorPath) {
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

/** @param {string} descriptorPath */
function failurePath(descriptorPath) {
  return `${descriptorPath}.failure`;
}

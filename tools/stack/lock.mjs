import { linkSync, rmSync } from 'node:fs';
import { isRunning, processStart } from './servers/children.mjs';
import { readJson, writePrivateJson } from './private-files.mjs';

/** @typedef {{ pid: number, startedAt: string }} Owner */

/**
 * Makes this process the one launcher of a stack.
 * @param {string} path
 * @returns {Owner | undefined} the launcher that runs already; undefined when this one has the lock now
 */
export function takeLock(path) {
  const mine = `${path}.${process.pid}.lock`;
  writePrivateJson(mine, { pid: process.pid, startedAt: processStart(process.pid) });
  try {
    return claim(mine, path);
  } finally {
    rmSync(mine, { force: true });
  }
}

/**
 * @param {string} mine
 * @param {string} path
 * @returns {Owner | undefined}
 */
function claim(mine, path) {
  for (;;) {
    try {
      // A link appears with its whole content, and only one process can make it.
      linkSync(mine, path);
      return undefined;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
    const owner = readJson(path);
    if (owner && isRunning(owner)) return owner;
    rmSync(path, { force: true });
  }
}

/** @param {string} path */
export function releaseLock(path) {
  rmSync(path, { force: true });
}

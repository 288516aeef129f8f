import { linkSync, rmSync } from 'node:fs';
import { isRunning, processStart } from './servers/children.mjs';
import { readJson, writePrivateJson } from './private-files.mjs';

/** @typedef {{ pid: number, startedAt: string }} Owner */

/**
 * Acquires the lock of a stack, unless its owner is still running.
 * @param {string} path
 * @returns {Owner | undefined} the running launcher that owns the lock; undefined when this process acquired it
 */
export function acquireLock(path) {
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
      // link(2) is atomic: the file appears with its whole content, and only one process can create it.
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

import { linkSync, rmSync } from 'node:fs';
import { isRunning, processStart } from './servers/children.ts';
import { readJson, writePrivateJson } from './private-files.ts';

export type Owner = { pid: number; startedAt: string };

/**
 * Acquires the lock of a stack, unless its owner is still running.
 * @returns the running launcher that owns the lock; undefined when this process acquired it
 */
export function acquireLock(path: string): Owner | undefined {
  const mine = `${path}.${process.pid}.lock`;
  writePrivateJson(mine, { pid: process.pid, startedAt: processStart(process.pid) });
  try {
    return claim(mine, path);
  } finally {
    rmSync(mine, { force: true });
  }
}

function claim(mine: string, path: string): Owner | undefined {
  for (;;) {
    try {
      // link(2) is atomic: the file appears with its whole content, and only one process can create it.
      linkSync(mine, path);
      return undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = readJson<Owner>(path);
    if (owner && isRunning(owner)) return owner;
    rmSync(path, { force: true });
  }
}

export function releaseLock(path: string) {
  rmSync(path, { force: true });
}

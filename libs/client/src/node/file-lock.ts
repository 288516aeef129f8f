import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { delay } from '../delay.js';

const WAIT_MS = 50;
let attempts = 0;

/** Runs `work` while no other process holds the lock of this path. The lock of a process that died is removed. */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  while (!(await acquire(path))) {
    if (!(await isAbandoned(path)) || !(await removeAbandoned(path))) await delay(WAIT_MS);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

/** A link appears with its content, so that no lock is without the id of its process. */
async function acquire(path: string): Promise<boolean> {
  const own = `${path}.${process.pid}.${(attempts += 1)}`;
  await writeFile(own, String(process.pid), { mode: 0o600 });
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(own, { force: true });
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const pid = Number(await readFile(path, 'utf8').catch(() => ''));
  if (!pid) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Another process may have removed it and have the lock by now: what was moved away by mistake is put back. */
async function removeAbandoned(path: string): Promise<boolean> {
  const moved = `${path}.${process.pid}.abandoned`;
  try {
    await rename(path, moved);
    if (await isAbandoned(moved)) return true;
    await link(moved, path);
    return false;
  } catch {
    return false;
  } finally {
    await rm(moved, { force: true });
  }
}

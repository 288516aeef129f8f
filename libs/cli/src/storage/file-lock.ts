import { mkdirSync, openSync, closeSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CliError } from '../command-line/failures.js';

const POLL_MS = 25;
const WAIT_MS_MAX = 30_000;

/** Runs work while no other process runs work under the same lock. A lock whose process died is removed. */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const deadline = Date.now() + WAIT_MS_MAX;
  while (!tryLock(path)) {
    removeDeadLock(path);
    if (Date.now() > deadline) throw new CliError(`Another vaultsvc holds ${path}. Delete it if none runs.`);
    await delay(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function tryLock(path: string): boolean {
  try {
    const descriptor = openSync(path, 'wx', 0o600);
    writeSync(descriptor, String(process.pid));
    closeSync(descriptor);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function removeDeadLock(path: string): void {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    if (pid > 0 && !isRunning(pid)) rmSync(path, { force: true });
  } catch (error) {
    // Its holder has removed it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Whether a process with this id runs; signal 0 only asks (kill(2)). */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

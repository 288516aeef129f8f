import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { FileError } from './file-error.js';
import { LockHeld, ProcessLock } from './process-lock.js';

/** The folder of unfinished transfers, if the caller names none: the default of the XDG Base Directory Specification. */
export function stateFolder(): string {
  return join(homedir(), '.local/state/vaultsvc');
}

/** A short name of a file in the state folder, from which what it stands for cannot be read. */
export function stateName(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}

/** The note of an unfinished transfer. */
export function stateFile(folder: string, kind: 'downloads' | 'links', key: string): string {
  return join(folder, kind, `${stateName(key)}.json`);
}

/** The one path of a file that need not exist: its folder may be reached through links. */
export async function canonicalPath(path: string): Promise<string> {
  const folder = dirname(resolve(path));
  return join(await realpath(folder).catch(() => folder), basename(resolve(path)));
}

/** Lets one process write to a path at a time. */
export function lockTarget(folder: string, target: string): Promise<ProcessLock> {
  return lockKey(folder, `target ${target}`, target, `${target} is being written`);
}

/**
 * Locks what a key stands for.
 * @param what begins the sentence of the error
 * @throws FileError that says which process has it
 */
export async function lockKey(folder: string, key: string, path: string, what: string): Promise<ProcessLock> {
  try {
    return await ProcessLock.acquire(join(folder, 'locks', stateName(key)));
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
    throw busy(error, path, what);
  }
}

function busy(error: LockHeld, path: string, what: string): FileError {
  const { holder, ticket } = error;
  const isHere = holder.host === hostname();
  const who = isHere ? `process ${holder.pid}` : `process ${holder.pid} on ${holder.host}`;
  const otherwise = isHere ? '' : ` If that is no longer so, delete ${ticket}.`;
  return new FileError('BUSY', path, `${what} by another command, ${who}. Wait for its end.${otherwise}`, {
    cause: error,
  });
}

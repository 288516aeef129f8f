import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, stat, unlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** An open file that becomes an object when it is complete. */
export interface TemporaryFile {
  readonly path: string;
  readonly handle: FileHandle;
}

/** Distinguishes this process from an earlier one with the same process id. */
const boot = randomBytes(6).toString('hex');
const TEMPORARY_FILE = /\.(\d+)-([0-9a-f]{12})-[0-9a-f]{16}\.part$/;
const ATTEMPTS_MAX = 20;
/** Error codes of a folder that was removed meanwhile: Node reports ENOTDIR for one that is removed during a recursive mkdir. */
const FOLDER_REMOVED = new Set(['ENOENT', 'ENOTDIR']);
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1_000;

/** Creates a file in the folder of the object, so that renaming it is atomic. Throws the error of the system. */
export async function createTemporaryFile(path: string): Promise<TemporaryFile> {
  const temporary = `${path}.${process.pid}-${boot}-${randomBytes(8).toString('hex')}.part`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return { path: temporary, handle: await open(temporary, 'wx', 0o600) };
    } catch (error) {
      // Deleting the last object of a folder removes the folder, perhaps between mkdir and open.
      const { code = '' } = error as NodeJS.ErrnoException;
      if (attempt === ATTEMPTS_MAX || !FOLDER_REMOVED.has(code)) throw error;
    }
  }
}

/** Removes temporary files of processes that died before they completed them; returns the number. */
export async function removeStaleFiles(dir: string): Promise<number> {
  let removed = 0;
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    // Another process may remove the folder at the same time, by deleting its last object.
    if (entry.isDirectory()) removed += await removeStaleFiles(path).catch(ignoreMissing);
    else if (await isStale(path)) removed += await unlink(path).then(() => 1, ignoreMissing);
  }
  return removed;
}

async function isStale(path: string): Promise<boolean> {
  const [, pid, bootOfFile] = TEMPORARY_FILE.exec(basename(path)) ?? [];
  if (pid === undefined) return false;
  if (Number(pid) === process.pid) return bootOfFile !== boot;
  // Process ids are reused, so a file of a living process may belong to an earlier one.
  return !isAlive(Number(pid)) || (await isAbandoned(path));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const ageMs = await stat(path).then(({ mtimeMs }) => Date.now() - mtimeMs, ignoreMissing);
  return ageMs > ABANDONED_AFTER_MS;
}

function ignoreMissing(error: NodeJS.ErrnoException): number {
  if (error.code === 'ENOENT') return 0;
  throw error;
}

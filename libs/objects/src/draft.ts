import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, stat, unlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export interface Draft {
  readonly path: string;
  readonly handle: FileHandle;
}

/** Tells our own drafts from those of a process of the past that had our process id. */
const boot = randomBytes(6).toString('hex');
const DRAFT = /\.(\d+)-([0-9a-f]{12})-[0-9a-f]{16}\.part$/;
const ATTEMPTS_MAX = 20;
/** What folders that are taken away under our steps show as: Node says ENOTDIR of one that goes while it makes those in it. */
const TAKEN_AWAY = new Set(['ENOENT', 'ENOTDIR']);
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1_000;

/** A new file beside the object's own, in the same folder so that renaming it is one step. */
export async function createDraft(path: string): Promise<Draft> {
  const draft = `${path}.${process.pid}-${boot}-${randomBytes(8).toString('hex')}.part`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return { path: draft, handle: await open(draft, 'wx', 0o600) };
    } catch (error) {
      // Whoever deletes the last object of a folder takes the folder away, perhaps between our two steps.
      const { code = '' } = error as NodeJS.ErrnoException;
      if (attempt === ATTEMPTS_MAX || !TAKEN_AWAY.has(code)) throw error;
    }
  }
}

/** Removes the drafts of processes that ended before their objects were whole; gives how many. */
export async function removeLeftovers(dir: string): Promise<number> {
  let removed = 0;
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    // Another process may delete the last object of a folder meanwhile, and the folder with it.
    if (entry.isDirectory()) removed += await removeLeftovers(path).catch(ignoreMissing);
    else if (await isLeftover(path)) removed += await unlink(path).then(() => 1, ignoreMissing);
  }
  return removed;
}

async function isLeftover(path: string): Promise<boolean> {
  const [, pid, bootOfDraft] = DRAFT.exec(basename(path)) ?? [];
  if (pid === undefined) return false;
  if (Number(pid) === process.pid) return bootOfDraft !== boot;
  // Process ids come again, so a draft of a living one may be a stranger's.
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

import { open, readdir, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The suffix of the files of objects, and of no other files or folders. */
export const OBJECT_SUFFIX = '.bin';

/** Syncs a folder and those above it up to the root, so that the names in them are durable. */
export async function syncFolders(folder: string, root: string): Promise<void> {
  // Always all of them: a concurrent put may have created a folder without having synced it yet.
  for (let current = folder; ; current = dirname(current)) {
    await syncFolder(current);
    if (current === root) return;
  }
}

/** Ignores a folder that was removed: the names in it were deleted. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}

/** Removes a folder if it is empty, then the one above it, but never the root. */
export async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  for (let current = folder; current !== root; current = dirname(current)) {
    const isRemoved = await rmdir(current).then(
      () => true,
      (error: NodeJS.ErrnoException) => isMissing(error),
    );
    // Not empty, or in use: deleting its last object will call this again.
    if (!isRemoved) return;
  }
}

/** Yields the keys with a prefix in the order of S3, by the bytes of whole keys. `folder` ends with a slash. */
export async function* keysIn(
  root: string,
  { prefix, after, folder = '' }: { prefix: string; after: string; folder?: string },
): AsyncGenerator<string> {
  for (const name of await namesIn(`${root}/${folder}`)) {
    const path = folder + name;
    if (!name.endsWith('/')) {
      if (path.startsWith(prefix) && path > after) yield path;
    } else if (mayContain(path, prefix, after)) yield* keysIn(root, { prefix, after, folder: path });
  }
}

/** Names of folders end with a slash, as in keys, because `a-b` is sorted before the objects in `a/`. */
async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return entries
    .flatMap((entry) => {
      if (entry.isDirectory()) return [`${entry.name}/`];
      return entry.name.endsWith(OBJECT_SUFFIX) ? [entry.name.slice(0, -OBJECT_SUFFIX.length)] : [];
    })
    .sort(byBytes);
}

function mayContain(folder: string, prefix: string, after: string): boolean {
  const touchesPrefix = folder.startsWith(prefix) || prefix.startsWith(folder);
  return touchesPrefix && (folder > after || after.startsWith(folder));
}

/** Compares keys by bytes; they are ASCII, so code units are in the same order. */
export function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether an error of the system means that a file or folder does not exist. */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

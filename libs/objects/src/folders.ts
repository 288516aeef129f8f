import { open, readdir, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What a file of an object ends with; no other file and no folder does. */
export const OBJECT_SUFFIX = '.bin';

/** Makes the names in a folder durable, and the folder's own name in those above it, up to the root. */
export async function syncFolders(folder: string, root: string): Promise<void> {
  // Always all of them: another put may have made a folder and not yet come to this.
  for (let current = folder; ; current = dirname(current)) {
    await syncFolder(current);
    if (current === root) return;
  }
}

/** A folder that has gone took with it what was to be durable: somebody deleted it. */
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

/** Takes away a folder that is empty, then the one above it, but never the root. */
export async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  for (let current = folder; current !== root; current = dirname(current)) {
    const isGone = await rmdir(current).then(
      () => true,
      (error: NodeJS.ErrnoException) => isMissing(error),
    );
    // Not empty, or in use: whoever deletes what is in it comes here again.
    if (!isGone) return;
  }
}

/** The keys under a prefix in the order S3 has, which is that of the bytes of whole keys; `folder` ends at a slash. */
export async function* keysIn(
  root: string,
  { prefix, after, folder = '' }: { prefix: string; after: string; folder?: string },
): AsyncGenerator<string> {
  for (const name of await namesIn(`${root}/${folder}`)) {
    const path = folder + name;
    if (!name.endsWith('/')) {
      if (path.startsWith(prefix) && path > after) yield path;
    } else if (mayHold(path, prefix, after)) yield* keysIn(root, { prefix, after, folder: path });
  }
}

/** Of folders with the slash they have in keys: `a-b` comes before what is in `a/`. */
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

function mayHold(folder: string, prefix: string, after: string): boolean {
  const touchesPrefix = folder.startsWith(prefix) || prefix.startsWith(folder);
  return touchesPrefix && (folder > after || after.startsWith(folder));
}

/** Keys are ASCII, where the order of code units is that of bytes. */
export function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

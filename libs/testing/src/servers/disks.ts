import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedServersOfRun } from '../../../../tools/test/servers.mjs';

/** Which of these texts are in any file of this run: tables, WAL and logs of PostgreSQL, Redis, NATS and copies. */
export function heldOnDisk(sought: readonly string[]): string[] {
  return heldUnder(sharedServersOfRun().dir, sought);
}

/**
 * Which of these texts are in any file under these folders. What goes away while we look held nothing that stays.
 * @throws where there is no file at all: that nothing was found there would mean nothing
 */
export function heldUnder(folders: string | readonly string[], sought: readonly string[]): string[] {
  const files = [folders].flat().flatMap(filesUnder);
  if (files.length === 0) throw new Error(`no files under ${String(folders)}`);
  const textOf = (path: string) => ifThere(() => readFileSync(path, 'latin1'), '');
  return [...new Set(files.flatMap((path) => found(textOf(path), sought)))];
}

/** Those of the texts that stand in a text; all are compared as Latin-1. */
export function found(text: string, sought: readonly string[]): string[] {
  return sought.filter((form) => text.includes(form));
}

/** Folder by folder: Node's own recursion fails with the first folder that is gone when its turn comes. */
function filesUnder(folder: string): string[] {
  return ifThere(() => readdirSync(folder, { withFileTypes: true }), []).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesUnder(path);
    return entry.isFile() ? [path] : [];
  });
}

function ifThere<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise;
    throw error;
  }
}

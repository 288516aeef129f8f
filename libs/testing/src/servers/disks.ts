import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedServersOfRun } from '../../../../tools/test/servers.mjs';

/** The texts that some file of this run contains: tables, WAL and logs of PostgreSQL, Redis, NATS and services. */
export function heldOnDisk(sought: readonly string[]): string[] {
  return heldUnder(sharedServersOfRun().dir, sought);
}

/**
 * The texts that some file under these folders contains. Files that are deleted during the search are skipped.
 * @throws if there is no file: a search of nothing would prove nothing
 */
export function heldUnder(folders: string | readonly string[], sought: readonly string[]): string[] {
  const files = [folders].flat().flatMap(filesUnder);
  if (files.length === 0) throw new Error(`no files under ${String(folders)}`);
  const textOf = (path: string) => ifThere(() => readFileSync(path, 'latin1'), '');
  return [...new Set(files.flatMap((path) => found(textOf(path), sought)))];
}

/** Those of `sought` that a text contains; all are compared as Latin-1. */
export function found(text: string, sought: readonly string[]): string[] {
  return sought.filter((form) => text.includes(form));
}

/** Folder by folder: the recursive `readdirSync` fails if a folder is deleted while it runs. */
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

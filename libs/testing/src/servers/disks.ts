import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedServersOfRun } from '../../../../tools/test/servers.mjs';

/** Which of these texts are in any file of this run: tables, WAL and logs of PostgreSQL, Redis, NATS and copies. */
export function heldOnDisk(sought: readonly string[]): string[] {
  return heldUnder(sharedServersOfRun().dir, sought);
}

/** Which of these texts are in any file under a folder. What goes away while we look held nothing that stays. */
export function heldUnder(folder: string, sought: readonly string[]): string[] {
  const held = filesUnder(folder).flatMap((path) =>
    found(
      ifThere(() => readFileSync(path, 'latin1'), ''),
      sought,
    ),
  );
  return [...new Set(held)];
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

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedServersOfRun } from '../../../../tools/test/servers.mjs';

/** Which of these texts are in any file of this run: tables, WAL and logs of PostgreSQL, Redis, NATS and copies. */
export function heldOnDisk(sought: readonly string[]): string[] {
  const files = readdirSync(sharedServersOfRun().dir, { recursive: true, withFileTypes: true });
  const held = files
    .filter((entry) => entry.isFile())
    .flatMap((file) => found(readIfThere(join(file.parentPath, file.name)), sought));
  return [...new Set(held)];
}

/** Those of the texts that stand in a text; all are compared as Latin-1. */
export function found(text: string, sought: readonly string[]): string[] {
  return sought.filter((form) => text.includes(form));
}

/** A file that goes away while we look held nothing that stays. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

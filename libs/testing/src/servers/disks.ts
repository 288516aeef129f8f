import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { sharedServersOfRun } from '../../../../tools/test/servers.ts';
import { sharedServers } from './shared.js';

/** Before the first line of the spec file, for each has its own copy of this module. File systems take times from a coarser clock. */
const BEGUN_MS = Date.now() - 1_000;

/**
 * The texts, made by this spec file, that some file of this run contains: tables, WAL and logs of PostgreSQL, Redis, NATS and
 * services. PostgreSQL writes its buffers first, since a commit of the tests does not wait for the disk.
 */
export async function heldOnDisk(sought: readonly string[]): Promise<string[]> {
  await writeBuffers();
  return heldUnder(sharedServersOfRun().dir, sought, BEGUN_MS);
}

/** Makes PostgreSQL write the pages and the log that it holds in memory. */
export async function writeBuffers(): Promise<void> {
  const admin = new pg.Client({ connectionString: sharedServers().postgresAdminUrl });
  await admin.connect();
  try {
    await admin.query('CHECKPOINT');
  } finally {
    await admin.end();
  }
}

/**
 * The texts that some file under these folders contains. Files that are deleted during the search are skipped.
 * @param sinceMs when the texts were made: what was last written before is not read
 * @throws if there is no file: a search of nothing would prove nothing
 */
export function heldUnder(
  folders: string | readonly string[],
  sought: readonly string[],
  sinceMs = 0,
): string[] {
  const isSince = (path: string) => ifThere(() => statSync(path).mtimeMs, -1) >= sinceMs;
  const files = [folders].flat().flatMap(filesUnder).filter(isSince);
  if (files.length === 0) throw new Error(`no files under ${String(folders)}`);
  const heldIn = (path: string) => {
    const content = ifThere(() => contentOf(path), Buffer.alloc(0));
    return sought.filter((form) => content.includes(form, 'latin1'));
  };
  return [...new Set(files.flatMap(heldIn))];
}

/** One for all files: new memory for each would cost more than the search. */
let space = Buffer.alloc(32 * 2 ** 20);

/** The content of a file until the next call. */
function contentOf(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    for (let bytes = 0; ;) {
      const read = readSync(file, space, bytes, space.length - bytes, bytes);
      bytes += read;
      if (read === 0) return space.subarray(0, bytes);
      if (bytes === space.length) space = Buffer.concat([space], 2 * bytes);
    }
  } finally {
    closeSync(file);
  }
}

/** Those of `sought` that a text contains; all are compared as Latin-1. */
export function found(text: string, sought: readonly string[]): string[] {
  return sought.filter((form) => text.includes(form));
}

/** The text itself, its hex, and its base64 at each of the three alignments. */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4),
  );
  return [secret, bytes.toString('hex'), bytes.toString('hex').toUpperCase(), ...base64];
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

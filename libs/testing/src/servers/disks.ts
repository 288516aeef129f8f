import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { sharedServersOfRun } from '../../../../tools/test/servers.ts';
import { sharedServers } from './shared.js';

/**
 * The texts that some file of this run contains: tables, WAL and logs of PostgreSQL, Redis, NATS and services. PostgreSQL
 * writes its buffers first, since a commit of the tests does not wait for the disk.
 */
export async function heldOnDisk(sought: readonly string[]): Promise<string[]> {
  await writeBuffers();
  return heldUnder(sharedServersOfRun().dir, sought);
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

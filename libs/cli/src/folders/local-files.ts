import { opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** What is below a local folder: a file, or something that is not uploaded, with the reason. */
export interface LocalEntry {
  /** From the folder, with `/` between the names. */
  readonly path: string;
  readonly absolute: string;
  readonly problem?: string;
}

/** Everything below a folder, in the order of the names. Symbolic links are not followed: they may lead out of the folder. */
export async function* localFiles(folder: string, below = ''): AsyncGenerator<LocalEntry, void, void> {
  const entries = [];
  for await (const entry of await opendir(folder)) entries.push(entry);
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    const absolute = join(folder, entry.name);
    if (entry.isDirectory()) yield* localFiles(absolute, path);
    else if (entry.isFile()) yield { path, absolute };
    else yield { path, absolute, problem: problemOf(entry.isSymbolicLink()) };
  }
}

function problemOf(isSymbolicLink: boolean): string {
  return isSymbolicLink ? 'is a symbolic link, which is not followed' : 'is neither a file nor a folder';
}

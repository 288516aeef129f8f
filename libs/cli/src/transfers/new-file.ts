import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { CliError } from '../command-line/failures.js';

/** Writes a file that must not exist yet, with access for its owner only. @throws CliError if it exists */
export async function writeNewFile(path: string, content: Uint8Array): Promise<void> {
  const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;
  const file = await open(path, flags, 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw alreadyExists(path);
    throw error;
  });
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The failure to overwrite a file. */
export function alreadyExists(path: string): CliError {
  return new CliError(`${path} exists already. Choose another name with --out.`);
}

/** The path for a file whose name comes from others: it must not leave the folder. @throws CliError */
export function safePath(name: string): string {
  // Names of ingots may contain slashes.
  const base = basename(name.replaceAll('\\', '/'));
  if (base === '' || base === '.' || base === '..' || /\p{Cc}/u.test(base))
    throw new CliError('The file has a name that cannot be used here. Choose one with --out.');
  return resolve(base);
}

import { constants, existsSync } from 'node:fs';
import { link, open, rename, unlink } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { CliError } from '../failures.js';

/** The path of a file that is to be written. @throws CliError if a file exists there */
export function newFilePath(name: string, out: string | undefined): string {
  const path = out === undefined ? safePath(name) : resolve(out);
  if (existsSync(path)) throw alreadyExists(path);
  return path;
}

/** The path for a file whose name comes from others: it must not leave the folder. */
function safePath(name: string): string {
  // Names of ingots may contain slashes.
  const base = basename(name.replaceAll('\\', '/'));
  if (base === '' || base === '.' || base === '..' || /\p{Cc}/u.test(base))
    throw new CliError('The file has a name that cannot be used here. Choose one with --out.');
  return resolve(base);
}

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

/** Gives a complete file its name, unless a file of this name has appeared meanwhile. */
export async function publish(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
    await unlink(part);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw alreadyExists(path);
    // A file system without hard links.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
    await rename(part, path);
  }
}

function alreadyExists(path: string): CliError {
  return new CliError(`${path} exists already. Choose another name with --out.`);
}

import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CliError } from '../failures.js';

/** Bits of a mode that give others access. */
const OTHERS = 0o077;

/**
 * Reads a JSON file that only its owner may read, as `ssh` demands it of private keys.
 * @returns undefined if there is no such file
 * @throws CliError if others have access, or if it is not JSON
 */
export function readPrivateJson(path: string): unknown {
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status) return undefined;
  // Windows has no such bits: the profile of the user protects the file.
  if (process.platform !== 'win32' && (status.mode & OTHERS) !== 0)
    throw new CliError(`Others may read ${path}. Run: chmod 600 ${path}`);
  if (process.getuid && status.uid !== process.getuid())
    throw new CliError(`${path} belongs to another user and is not read.`);
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as unknown;
  } catch (cause) {
    throw new CliError(`${path} is damaged. Delete it, then log in again.`, undefined, { cause });
  }
}

/** Writes a JSON file with access for its owner only. A crash leaves the old file or the new one. */
export async function writePrivateJson(path: string, value: unknown): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(value, undefined, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

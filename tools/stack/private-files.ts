import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** @param path accessible to its owner only */
export function createPrivateFolder(path: string) {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
}

/** Writes a file atomically, by a rename, with access for its owner only. */
export function writePrivateJson(path: string, value: unknown) {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, path);
}

/**
 * Reads a file that this project has written: its content is what the caller says.
 * @returns undefined when there is no such file
 * @throws with the path when the file is not JSON
 */
export function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/**
 * Writes a file atomically, by a rename, with access for its owner only.
 * @param {string} path
 * @param {unknown} value
 */
export function writePrivateJson(path, value) {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, path);
}

/**
 * @param {string} path
 * @returns {any} undefined when there is no such file
 * @throws with the path when the file is not JSON
 */
export function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read: ${/** @type {Error} */ (error).message}`, { cause: error });
  }
}

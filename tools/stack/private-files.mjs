import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/**
 * Writes a whole file or nothing: a reader sees the old text or the new one, and only its owner may read it.
 * @param {string} path
 * @param {unknown} value
 */
export function writePrivateJson(path, value) {
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, path);
}

/**
 * @param {string} path
 * @returns {any} undefined when there is no such file
 * @throws when it is not JSON, naming it
 */
export function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read: ${/** @type {Error} */ (error).message}`, { cause: error });
  }
}

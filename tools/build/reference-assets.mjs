import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

/** The module that exports the files of the reference's viewer. Its source on the disk is only for the type checker. */
export const referenceAssetsFile = /[\\/]reference-assets\.ts$/;

const packageFolder = fileURLToPath(new URL('../../node_modules/@scalar/api-reference', import.meta.url));
const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
const entry = 'standalone.esm.js';

/**
 * Replaces the module by the version of Scalar's viewer, the name of its first file, and its files: each compressed with
 * brotli, in base64. The viewer is a set of modules of which a browser loads those that it needs.
 * @returns {string} JavaScript
 */
export function referenceAssetsModule() {
  const exported = { version, entry, files: compressedFiles() };
  return Object.entries(exported)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
}

/**
 * Compressing takes seconds, so the result is kept.
 * @returns {Record<string, string>}
 */
function compressedFiles() {
  const kept = fileURLToPath(
    new URL(`../../node_modules/.cache/vaultsvc-reference/${version}.json`, import.meta.url),
  );
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8'));
  const files = Object.fromEntries(reachableFiles().map((name) => [name, compressed(name)]));
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, JSON.stringify(files));
  return files;
}

/** The entry and every file that a file names, at any depth. */
function reachableFiles() {
  const names = new Set([entry]);
  for (const name of names) {
    for (const [, path = ''] of sourceOf(name).matchAll(/["'`](\.\.?\/[^"'`]+?\.js)["'`]/g)) {
      const target = posix.join(posix.dirname(name), path);
      if (existsSync(join(packageFolder, 'dist/browser', target))) names.add(target);
    }
  }
  return [...names];
}

/** @param {string} name */
function sourceOf(name) {
  return readFileSync(join(packageFolder, 'dist/browser', name), 'utf8').replace(
    /\n\/\/# sourceMappingURL=.*/,
    '',
  );
}

/** @param {string} name */
function compressed(name) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 };
  return brotliCompressSync(sourceOf(name), { params }).toString('base64');
}

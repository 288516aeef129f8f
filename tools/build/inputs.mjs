import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { guidePaths } from './guide-files.mjs';

const workspace = fileURLToPath(new URL('../..', import.meta.url));

/** Inputs of every build besides the sources. */
const toolchain = [
  'package-lock.json',
  '.swcrc',
  'tools/build/app.mjs',
  'tools/build/generated-modules.mjs',
  'tools/build/guide-files.mjs',
  'tools/build/guides.mjs',
  'tools/build/page-script.mjs',
  'tools/build/reference-assets.mjs',
  'tools/build/reference-viewer.mjs',
  'tools/build/swc-plugin.mjs',
];

/** The types of the client are made for type checkers alone (client-types.mjs). */
const isMade = (/** @type {string} */ name) => name.endsWith(join('generated', 'api.ts'));

/** @param {string} dir */
function sourcesIn(dir) {
  if (!existsSync(dir)) return [];
  const names = /** @type {string[]} */ (readdirSync(dir, { recursive: true }));
  return names
    .filter((name) => /\.(ts|css)$/.test(name) && !/\.(spec|e2e)\.ts$/.test(name) && !isMade(name))
    .sort()
    .map((name) => join(dir, name));
}

/** @param {string[]} paths */
function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths)
    hash.update(path.slice(workspace.length)).update('\0').update(readFileSync(path)).update('\0');
  return hash.digest('hex');
}

/** @returns {string} the hash of the inputs that all apps share; compute it once for several apps */
export function sharedInputs() {
  // No app bundles the CLI.
  const names = readdirSync(join(workspace, 'libs')).filter((lib) => lib !== 'cli');
  const libs = names.flatMap((lib) => sourcesIn(join(workspace, 'libs', lib, 'src')));
  const files = toolchain.map((name) => join(workspace, name)).filter((path) => existsSync(path));
  return hashOf([...files, ...libs]);
}

/** @param {string} appDir */
function stampPath(appDir) {
  return resolve(appDir, 'dist/inputs.sha256');
}

/**
 * @param {string} appDir
 * @param {string} shared
 */
function stampOf(appDir, shared) {
  const guides = basename(appDir) === 'gateway' ? guidePaths.filter((path) => existsSync(path)) : [];
  return `${shared} ${hashOf([...sourcesIn(resolve(appDir, 'src')), ...guides])}`;
}

/**
 * Whether `dist` is up to date. Compares hashes, not modification times, which every checkout changes.
 * @param {string} appDir
 * @param {string} [shared]
 */
export function isBuilt(appDir, shared = sharedInputs()) {
  return existsSync(stampPath(appDir)) && readFileSync(stampPath(appDir), 'utf8') === stampOf(appDir, shared);
}

/**
 * Hashes the inputs before a build.
 * @param {string} appDir
 * @returns {() => void} writes the hash after the build
 */
export function stampFor(appDir) {
  const stamp = stampOf(appDir, sharedInputs());
  return () => writeFileSync(stampPath(appDir), stamp);
}

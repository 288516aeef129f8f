import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureViewer, viewerFile } from '../build/reference-viewer.mjs';
import { workspace } from './settings.mjs';

const modules = join(workspace, 'node_modules');

/** npm writes this file when an installation is complete. */
const complete = join(modules, '.package-lock.json');

const lockFile = join(workspace, 'package-lock.json');

/**
 * What is installed: the packages that the stack is built of and runs with (`dependencies`), or those of tests and checks too.
 * @typedef {'stack' | 'all'} Scope
 */

// With NODE_ENV=production npm would omit the packages of tests. Scripts of packages do not run.
const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
const optionsOf = { stack: ['--omit=dev', ...options], all: ['--include=dev', ...options] };

/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [optional]
 * @property {Record<string, string>} [optionalDependencies]
 */
/** @typedef {{ packages: Record<string, LockedPackage> }} Lock the parts of package-lock.json that are compared */

/**
 * Whether the packages of package-lock.json and the viewer of the reference are here.
 * @param {Scope} scope
 */
export function hasNodeModules(scope) {
  return hasPackages(scope) && existsSync(viewerFile);
}

/** @param {Scope} scope */
function hasPackages(scope) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8'));
  const names = Object.keys(scope === 'all' ? { ...dependencies, ...devDependencies } : dependencies);
  return [complete, ...names.map((name) => join(modules, name))].every((path) => existsSync(path));
}

/**
 * Installs what is missing. An installation of all packages stays one.
 * @param {Scope} scope
 * @throws with the output of npm, or the packages that differ from the lock
 */
export async function installNodeModules(scope) {
  const hasTests = existsSync(complete) && existsSync(join(modules, 'jest'));
  const packages = hasPackages(scope) ? undefined : installPackages(optionsOf[hasTests ? 'all' : scope]);
  await Promise.all([packages, ensureViewer()]);
}

/**
 * Installs exactly the packages of the lock. `npm ci` does that in an empty folder. `npm install` completes an installation,
 * whose packages a running stack may use, and accepts a lock that lacks optional packages of other platforms, as a registry
 * without them writes it; it fails here if it had to change a package.
 * @param {readonly string[]} options
 */
async function installPackages(options) {
  const text = readFileSync(lockFile, 'utf8');
  const lock = JSON.parse(text);
  if (isWhole(lock) && !existsSync(complete)) return npm('ci', options);
  // Without it, an installation that is interrupted starts again from nothing.
  rmSync(complete, { force: true });
  try {
    await npm('install', options);
    const changed = changedPackages(lock, JSON.parse(readFileSync(lockFile, 'utf8')));
    if (changed.length > 0) throw new Error(`npm install would change ${changed.join(', ')}`);
  } catch (error) {
    rmSync(complete, { force: true });
    throw error;
  } finally {
    writeFileSync(lockFile, text);
  }
}

/**
 * Whether the lock lists the optional packages of every platform, without which `npm ci` refuses it.
 * @param {Lock} lock
 */
export function isWhole({ packages }) {
  const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
  return Object.values(packages).every(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies).every((name) => names.has(name)),
  );
}

/**
 * The packages that differ between two locks. The second may list further optional packages.
 * @param {Lock} locked
 * @param {Lock} installed
 * @returns {string[]} their paths
 */
export function changedPackages(locked, installed) {
  const lost = Object.entries(locked.packages).filter(([path, { version, integrity }]) => {
    const now = installed.packages[path];
    return now?.version !== version || now?.integrity !== integrity;
  });
  const added = Object.entries(installed.packages).filter(
    ([path, { optional }]) => !(path in locked.packages) && !optional,
  );
  return [...lost, ...added].map(([path]) => path);
}

/**
 * @param {'ci' | 'install'} command
 * @param {readonly string[]} options
 * @throws with the output of npm
 */
async function npm(command, options) {
  const child = spawn('npm', [command, ...options], { cwd: workspace, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  // npm prints the cause first, and advice after it.
  const keep = (/** @type {Buffer} */ data) => (output = (output + data).slice(0, 2000));
  for (const stream of [child.stdout, child.stderr]) stream.on('data', keep);
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) throw new Error(`npm ${command} failed (${code}):\n${output.trim()}`);
}

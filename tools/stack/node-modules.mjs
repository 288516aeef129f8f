import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from './settings.mjs';

/** npm writes this file when an installation is complete. */
const complete = join(workspace, 'node_modules/.package-lock.json');

const lock = join(workspace, 'package-lock.json');

// With NODE_ENV=production npm would omit the compilers. Scripts of packages do not run.
const options = ['--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** @returns {boolean} */
export function hasNodeModules() {
  return existsSync(complete);
}

/**
 * Installs the versions of package-lock.json and restores that file. `npm ci` would fail on a lock file that lacks the
 * optional packages of this platform, which depend on the registry where it was written.
 * @throws with the output of npm
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
  // npm prints the cause first, and advice after it.
  const keep = (/** @type {Buffer} */ data) => (output = (output + data).slice(0, 2000));
  for (const stream of [child.stdout, child.stderr]) stream.on('data', keep);
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  return { code, output: output.trim() };
}

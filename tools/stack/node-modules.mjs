import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from './settings.mjs';

/** npm writes this file when an installation is complete. */
const complete = join(workspace, 'node_modules/.package-lock.json');

/** @returns {boolean} */
export function hasNodeModules() {
  return existsSync(complete);
}

/** Installs what package-lock.json names; no package's own scripts run. */
export async function installNodeModules() {
  const verb = existsSync(join(workspace, 'package-lock.json')) ? 'ci' : 'install';
  const args = [verb, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const child = spawn('npm', args, { cwd: workspace, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => (output = (output + data).slice(-4000)));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) throw new Error(`npm ${verb} failed (${code}):\n${output.trim()}`);
}

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { isBuilt, sharedInputs } from '../build/inputs.mjs';
import { services, workspace } from './settings.mjs';

const builder = join(workspace, 'tools/build/app.mjs');

/** @returns {string[]} the folders of apps whose `dist` is out of date */
export function appsToBuild() {
  const shared = sharedInputs();
  return services.map((name) => join(workspace, 'apps', name)).filter((app) => !isBuilt(app, shared));
}

/**
 * Builds apps in one child process: the compilers are loaded once, and their half a gigabyte is freed with the process.
 * @param {string[]} apps
 * @throws with all errors of the compiler
 */
export async function build(apps) {
  const child = spawn(process.execPath, [builder, ...apps], { stdio: ['ignore', 'inherit', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (data) => (errors += data));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) throw new Error(errors.trim());
}

/**
 * Builds every app for development.
 * @returns {Promise<Map<string, () => Promise<void>>>} the rebuild function of each service
 */
export async function buildForDevelopment() {
  const { developApp } = await import('../build/app.mjs');
  const build = async (/** @type {string} */ name) =>
    /** @type {const} */ ([name, await developApp(join(workspace, 'apps', name))]);
  return new Map(await Promise.all(services.map(build)));
}

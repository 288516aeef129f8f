import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { isBuilt, sharedInputs } from '../build/inputs.mjs';
import { services, workspace } from './settings.mjs';

/** @returns {string[]} the folders of apps whose `dist` is not what their sources say */
export function appsToBuild() {
  const shared = sharedInputs();
  return services.map((name) => join(workspace, 'apps', name)).filter((app) => !isBuilt(app, shared));
}

/**
 * Builds apps in this one process, where the compilers are loaded once.
 * @param {string[]} apps
 * @param {(name: string) => void} [onApp] called as each one is begun
 * @throws with every error of the compiler
 */
export async function build(apps, onApp = () => {}) {
  // Not at the top: this file is loaded before node modules are installed.
  const { buildApp } = await import('../build/app.mjs');
  const waiting = [...apps];
  const work = async () => {
    for (let app = waiting.shift(); app; app = waiting.shift()) {
      onApp(basename(app));
      await buildApp(app);
    }
  };
  // One build keeps two processors busy.
  await Promise.all(Array.from({ length: Math.ceil(availableParallelism() / 2) }, work));
}

/**
 * Builds every app for development.
 * @returns {Promise<Map<string, () => Promise<void>>>} by service: builds it again
 */
export async function buildForDevelopment() {
  const { developApp } = await import('../build/app.mjs');
  const build = async (/** @type {string} */ name) =>
    /** @type {const} */ ([name, await developApp(join(workspace, 'apps', name))]);
  return new Map(await Promise.all(services.map(build)));
}

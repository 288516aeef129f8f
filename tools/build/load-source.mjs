// Bundles a TypeScript file of a tool with the workspace's libraries and imports it.
import { build } from 'esbuild';
import { basename, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { swcPlugin } from './swc-plugin.mjs';

const at = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

/** npm packages and `.mjs` scripts are imported from where they are. */
const externals = {
  name: 'externals',
  setup(/** @type {import('esbuild').PluginBuild} */ building) {
    building.onResolve({ filter: /\.mjs$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path),
      external: true,
    }));
    building.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@vaultsvc/') ? undefined : { path, external: true },
    );
  },
};

/** @param {URL} source @returns {import('esbuild').BuildOptions} */
const optionsFor = (source) => ({
  entryPoints: [fileURLToPath(source)],
  absWorkingDir: at('../..'),
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  keepNames: true,
  conditions: ['@vaultsvc/source'],
  plugins: [externals, swcPlugin()],
  logLevel: 'warning',
});

/**
 * @param {URL} source
 * @param {string} tool the name of its folder of bundles
 */
export async function loadSource(source, tool) {
  // In `node_modules`, so that imports of packages resolve.
  const name = `${basename(source.pathname, '.ts')}.mjs`;
  const outfile = at(`../../node_modules/.cache/vaultsvc-${tool}/${name}`);
  await build({ ...optionsFor(source), outfile });
  await import('reflect-metadata');
  return import(pathToFileURL(outfile).href);
}

/**
 * The program that `loadSource` would import: it changes with each file of which it is made, and with no other.
 * @param {URL} source
 * @returns {Promise<string>}
 */
export async function bundledSource(source) {
  const { outputFiles } = await build({ ...optionsFor(source), write: false });
  return outputFiles.map(({ text }) => text).join('');
}

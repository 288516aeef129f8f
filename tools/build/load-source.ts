// Bundles a TypeScript file of a tool with the workspace's libraries and imports it.
import { build, type PluginBuild, type BuildOptions } from 'esbuild';
import { basename, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildDefines } from './build-constants.ts';
import { swcPlugin } from './swc-plugin.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** npm packages are imported from where they are, and so are the programs that Node runs as they are: imports name them by `.ts`. */
const externals = {
  name: 'externals',
  setup(building: PluginBuild) {
    building.onResolve({ filter: /^\..*\.ts$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path),
      external: true,
    }));
    building.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@vaultsvc/') ? undefined : { path, external: true },
    );
  },
};

const optionsFor = (source: URL): BuildOptions => ({
  entryPoints: [fileURLToPath(source)],
  absWorkingDir: at('../..'),
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  keepNames: true,
  conditions: ['@vaultsvc/source'],
  define: buildDefines(),
  plugins: [externals, swcPlugin()],
  logLevel: 'warning',
});

/** @param tool the name of its folder of bundles */
export async function loadSource(source: URL, tool: string) {
  // In `node_modules`, so that imports of packages resolve.
  const name = `${basename(source.pathname, '.ts')}.mjs`;
  const outfile = at(`../../node_modules/.cache/vaultsvc-${tool}/${name}`);
  await build({ ...optionsFor(source), outfile });
  await import('reflect-metadata');
  return import(pathToFileURL(outfile).href);
}

/** The program that `loadSource` would import: it changes with each file of which it is made, and with no other. */
export async function bundledSource(source: URL): Promise<string> {
  const { outputFiles } = await build({ ...optionsFor(source), write: false });
  return outputFiles.map(({ text }) => text).join('');
}

// Bundles a TypeScript file of a benchmark with the workspace's libraries and imports it; npm packages are not bundled.
import { build } from 'esbuild';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { swcPlugin } from '../build/swc-plugin.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

const externalPackages = {
  name: 'external-packages',
  setup(building) {
    building.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@vaultsvc/') ? undefined : { path, external: true },
    );
  },
};

/** @param {URL} source */
export async function loadSource(source) {
  // In `node_modules`, so that imports of packages resolve.
  const name = `${basename(source.pathname, '.ts')}.mjs`;
  const outfile = at(`../../node_modules/.cache/vaultsvc-bench/${name}`);
  await build({
    entryPoints: [fileURLToPath(source)],
    outfile,
    absWorkingDir: at('../..'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    keepNames: true,
    conditions: ['@vaultsvc/source'],
    plugins: [externalPackages, swcPlugin()],
    logLevel: 'warning',
  });
  await import('reflect-metadata');
  return import(pathToFileURL(outfile).href);
}

// Bundles transfers.ts with the workspace's libraries and imports it; npm packages are not bundled.
import { build } from 'esbuild';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { swcPlugin } from '../../build/swc-plugin.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

const externalPackages = {
  name: 'external-packages',
  setup(building) {
    building.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@vaultsvc/') ? undefined : { path, external: true },
    );
  },
};

/** @returns {Promise<typeof import('./transfers.js')>} */
export async function loadTransfers() {
  // In `node_modules`, so that imports of packages resolve.
  const outfile = at('../../../node_modules/.cache/vaultsvc-bench/transfers.mjs');
  await build({
    entryPoints: [at('./transfers.ts')],
    outfile,
    absWorkingDir: at('../../..'),
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

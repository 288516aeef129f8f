// transfers.ts with our libraries in one file; packages stay where they are.
import { build } from 'esbuild';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { swcPlugin } from '../../build/swc-plugin.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

const packagesOutside = {
  name: 'packages-outside',
  setup(building) {
    building.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@vaultsvc/') ? undefined : { path, external: true },
    );
  },
};

/** @returns {Promise<typeof import('./transfers.js')>} */
export async function loadTransfers() {
  // Among the packages, so that it finds them.
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
    plugins: [packagesOutside, swcPlugin()],
    logLevel: 'warning',
  });
  await import('reflect-metadata');
  return import(pathToFileURL(outfile).href);
}

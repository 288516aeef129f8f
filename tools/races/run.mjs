#!/usr/bin/env node
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { swcPlugin } from '../build/swc-plugin.mjs';

/**
 * `npm run races [-- --count 10000]`: readers race for Sparks over three copies of the service that are killed and
 * paused meanwhile. Ends with 1 if any content left twice.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const workspace = resolve(here, '../..');

/** Our libraries are TypeScript and go into the bundle; packages and the stack's own scripts stay where they are. */
const externals = {
  name: 'externals',
  setup(/** @type {esbuild.PluginBuild} */ build) {
    build.onResolve({ filter: /\.mjs$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path),
      external: true,
    }));
    build.onResolve({ filter: /^[^./]/ }, ({ path }) =>
      path.startsWith('@vaultsvc/') ? undefined : { path, external: true },
    );
  },
};

// Among the packages, so that it finds them.
const outfile = join(workspace, 'node_modules/.cache/vaultsvc-races/main.mjs');
await esbuild.build({
  entryPoints: [join(here, 'main.ts')],
  outfile,
  absWorkingDir: workspace,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  keepNames: true,
  conditions: ['@vaultsvc/source'],
  plugins: [externals, swcPlugin()],
  logLevel: 'warning',
});
await import('reflect-metadata');
await import(pathToFileURL(outfile).href);

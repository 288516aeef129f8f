#!/usr/bin/env node
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { swcPlugin } from '../build/swc-plugin.mjs';

/**
 * `npm run races [-- <name>... --count 10000]`: races by name, or all of them. Exits with 1 if a guarantee was violated.
 *
 * - `sparks`: concurrent reads of Sparks, over three instances of the service that are killed and paused; no content may be
 *   revealed twice.
 * - `links`: the same for the links of Sparks, with twenty openings each; a link is consumed exactly if its Spark is burned.
 * - `refresh`: two tabs with one cookie jar refresh concurrently, over two instances of auth; no refresh may be refused.
 * - `patches`: twenty concurrent calls change a structured ingot, over three instances of vaults; its version rises by
 *   exactly the changes, and no winner's key is lost.
 * - `uploads`: uploads to a local stack whose processes are killed; no acknowledged chunk may be lost, no deleted content
 *   may be served, and the figures of all services must agree.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const workspace = resolve(here, '../..');

/** Bundles the workspace's TypeScript libraries; npm packages and `.mjs` scripts are imported from where they are. */
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

// In `node_modules`, so that imports of packages resolve.
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

#!/usr/bin/env node
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { swcPlugin } from '../build/swc-plugin.mjs';

/**
 * `npm run races [-- <name>... --count 10000]`: races by name, or all of them. Ends with 1 if anything happened that
 * must never happen.
 *
 * - `sparks`: readers race for Sparks over three copies of the service that are killed and paused meanwhile; no content
 *   may leave twice.
 * - `links`: the same over the links of Sparks, twenty openers each; no link and its Spark may part.
 * - `refresh`: two tabs with one cookie jar refresh at once, over two copies of auth; nobody may be signed out.
 * - `patches`: twenty calls at once change a structured ingot, over three copies of vaults; its version rises by exactly the
 *   changes, and no winner's key is lost.
 * - `uploads`: uploads to a local stack whose processes are killed meanwhile; nothing that was acknowledged may be lost,
 *   nothing that has ended may be read, and the books of all services must agree.
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

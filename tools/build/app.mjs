#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { stampFor } from './inputs.mjs';
import { swcPlugin } from './swc-plugin.mjs';

/** Every program an app may have: the service, its migrations, and auth's first account. */
const programs = ['main', 'migrate', 'bootstrap'];

/** Nest tries these and goes on without them. */
const optionalPackages = ['@nestjs/microservices', '@nestjs/microservices/*', '@nestjs/websockets/*'];

/** Packages that call `require` (CommonJS inside an ES module bundle) find it here. */
const requireBanner = `import { createRequire as bundleRequire } from 'node:module';
const require = bundleRequire(import.meta.url);`;

/**
 * One folder of plain JavaScript per app, third-party packages included: a service starts in half the time
 * that it needs to read them from node_modules, and with less memory.
 * @param {string} appDir the app's folder
 * @returns {esbuild.BuildOptions}
 * @throws when the app has no src/main.ts
 */
export function buildOptions(appDir) {
  const entryPoints = programs
    .map((name) => resolve(appDir, 'src', `${name}.ts`))
    .filter((path) => existsSync(path));
  if (!existsSync(resolve(appDir, 'src/main.ts'))) throw new Error(`${appDir} has no src/main.ts`);
  return {
    entryPoints,
    outdir: resolve(appDir, 'dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@vaultsvc/source'],
    external: optionalPackages,
    // Nest's tokens and error codes are class names; a bundler renames classes that collide.
    keepNames: true,
    banner: { js: requireBanner },
    chunkNames: 'chunks/[hash]',
    legalComments: 'none',
    metafile: true,
    logLevel: 'silent',
    plugins: [swcPlugin()],
  };
}

/**
 * Builds an app into its `dist`, which is emptied first.
 * @param {string} appDir
 * @returns {Promise<esbuild.BuildResult>} rejects with esbuild's BuildFailure, `message` listing every error
 */
export async function buildApp(appDir) {
  const options = buildOptions(appDir);
  const stamp = stampFor(appDir);
  await rm(resolve(appDir, 'dist'), { recursive: true, force: true });
  const result = await esbuild.build(options);
  stamp();
  return result;
}

/**
 * Builds an app, then again at every edit of a file in its bundle.
 * @param {string} appDir
 * @param {(result: esbuild.BuildResult) => void} onBuilt called after every build, failed ones included
 * @returns {Promise<{ dispose(): Promise<void> }>}
 */
export async function watchApp(appDir, onBuilt) {
  const options = buildOptions(appDir);
  const report = {
    name: 'report',
    setup: (/** @type {esbuild.PluginBuild} */ build) => build.onEnd(onBuilt),
  };
  const context = await esbuild.context({ ...options, plugins: [...(options.plugins ?? []), report] });
  await context.watch();
  return context;
}

async function main() {
  const appDir = process.argv[2];
  if (!appDir) throw new Error('Usage: node tools/build/app.mjs apps/<name>');
  await buildApp(appDir);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}

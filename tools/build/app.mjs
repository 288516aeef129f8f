#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { stampFor } from './inputs.mjs';
import { pageScriptPlugin } from './page-script.mjs';
import { swcPlugin } from './swc-plugin.mjs';

/** Every program an app may have: the service, its migrations, and auth's first account. */
const programs = ['main', 'migrate', 'bootstrap'];

/** Nest tries these and goes on without them. */
const optionalPackages = [
  '@nestjs/microservices',
  '@nestjs/microservices/*',
  '@nestjs/websockets/*',
  'class-transformer',
  'class-transformer/*',
];

/** Packages that call `require` (CommonJS inside an ES module bundle) find it here. */
const requireBanner = `import { createRequire as bundleRequire } from 'node:module';
const require = bundleRequire(import.meta.url);`;

/**
 * One folder of plain JavaScript per app, third-party packages included: a service starts in half the time
 * that it needs to read them from node_modules, and with less memory.
 * @param {string} appDir the app's folder
 * @returns {esbuild.BuildOptions & { outdir: string }}
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
    // No splitting: across chunks esbuild does not keep the order in which modules run, and decorators need theirs.
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@vaultsvc/source'],
    external: optionalPackages,
    // Nest's tokens and error codes are class names; a bundler renames classes that collide.
    keepNames: true,
    banner: { js: requireBanner },
    legalComments: 'none',
    logLevel: 'silent',
    plugins: [pageScriptPlugin(), swcPlugin()],
  };
}

/**
 * The same for development: only our own sources are bundled, so that a build takes a blink.
 * @param {string} appDir
 */
export function developmentOptions(appDir) {
  const options = buildOptions(appDir);
  return {
    ...options,
    outdir: resolve(appDir, 'dist/dev'),
    plugins: [...(options.plugins ?? []), packagesOutside()],
  };
}

/** @returns {esbuild.Plugin} */
function packagesOutside() {
  return {
    name: 'packages-outside',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === 'entry-point' || path.startsWith('@vaultsvc/')) return undefined;
        return { path, external: true };
      });
    },
  };
}

/**
 * Builds an app into its `dist`, which is emptied first.
 * @param {string} appDir
 * @returns {Promise<void>} rejects with esbuild's BuildFailure, `message` listing every error
 */
export async function buildApp(appDir) {
  const options = buildOptions(appDir);
  const stamp = stampFor(appDir);
  await rm(options.outdir, { recursive: true, force: true });
  await esbuild.build(options);
  stamp();
}

/**
 * Builds an app for development, now and whenever it is asked again.
 * @param {string} appDir
 * @returns {Promise<() => Promise<void>>} builds again; rejects like `buildApp`
 */
export async function developApp(appDir) {
  const context = await esbuild.context(developmentOptions(appDir));
  const rebuild = async () => void (await context.rebuild());
  await rebuild();
  return rebuild;
}

/** Builds the apps that the command line names; says the name of each before it begins. */
async function main() {
  const waiting = process.argv.slice(2);
  if (waiting.length === 0) throw new Error('Usage: node tools/build/app.mjs apps/<name> …');
  const work = async () => {
    for (let app = waiting.shift(); app; app = waiting.shift()) {
      console.log(basename(app));
      await buildApp(app);
    }
  };
  // One build keeps two processors busy.
  await Promise.all(Array.from({ length: Math.ceil(availableParallelism() / 2) }, work));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main().catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
}

import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, parse, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { buildDefines } from './build-constants.ts';
import { browserPackages, includedFiles, packageFolders, packagesFile } from './bundled-packages.ts';
import { generatedModulesPlugin } from './generated-modules.ts';
import { isBuilt, sharedInputs, stampFor } from './inputs.ts';
import {
  operatorBundle,
  operatorEntry,
  operatorProgram,
  operatorPrograms,
  operatorProgramsOf,
  operatorProgramsPlugin,
} from './operator-programs.ts';
import { swcPlugin } from './swc-plugin.ts';
import { unusedPackagesPlugin } from './unused-packages.ts';

/** The possible programs of an app. */
const programs = ['main', ...operatorPrograms];

/** Optional dependencies of Nest, which it imports if present or for transports that are not used. */
const optionalPackages = [
  '@nestjs/websockets/*',
  'amqp-connection-manager',
  'class-transformer',
  'class-transformer/*',
  'ioredis',
  'kafkajs',
  'mqtt',
];

/** Defines `require` for CommonJS packages inside the ES module bundle. */
const requireBanner = `import { createRequire as bundleRequire } from 'node:module';
const require = bundleRequire(import.meta.url);`;

type AppOptions = esbuild.BuildOptions & { entryPoints: string[]; outdir: string };

/**
 * Bundles an app with its third-party packages: a service starts in half the time, and with less memory, than from
 * node_modules.
 * @param appDir the app's folder
 * @throws when the app has no src/main.ts
 */
export function buildOptions(appDir: string): AppOptions {
  const entryPoints = programs
    .map((name) => resolve(appDir, 'src', `${name}.ts`))
    .filter((path) => existsSync(path));
  if (!existsSync(resolve(appDir, 'src/main.ts'))) throw new Error(`${appDir} has no src/main.ts`);
  return {
    entryPoints,
    outdir: resolve(appDir, 'dist'),
    // No splitting: esbuild does not keep the order of modules across chunks, on which decorators depend.
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@vaultsvc/source'],
    define: buildDefines(),
    external: optionalPackages,
    // Nest's tokens and error codes are class names; a bundler renames classes that collide.
    keepNames: true,
    banner: { js: requireBanner },
    legalComments: 'none',
    logLevel: 'silent',
    plugins: [generatedModulesPlugin(), unusedPackagesPlugin, swcPlugin()],
  };
}

/** The options for development: only the workspace's sources are bundled, which is much faster. */
export function developmentOptions(appDir: string) {
  const options = buildOptions(appDir);
  return {
    ...options,
    outdir: resolve(appDir, 'dist/dev'),
    plugins: [...(options.plugins ?? []), externalPackages()],
  };
}

function externalPackages(): esbuild.Plugin {
  return {
    name: 'external-packages',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === 'entry-point' || path.startsWith('@vaultsvc/')) return undefined;
        return { path, external: true };
      });
    },
  };
}

/** Builds an app into its `dist`. */
export function buildApp(appDir: string) {
  return buildApps([appDir]);
}

/**
 * Builds apps, each into its `dist`, at once: what they share is compiled once. Replaces each program by a rename, so that a
 * stack that starts meanwhile finds either the old one or the new one.
 * @returns rejects with esbuild's BuildFailure, `message` listing every error; the `dist` of all is then removed
 */
export async function buildApps(appDirs: readonly string[]): Promise<void> {
  const apps = appDirs.map(buildOptions);
  const stamps = appDirs.map(stampFor);
  try {
    const built = await Promise.all([bundleServices(apps), bundleOperatorPrograms(apps, appDirs)]);
    for (const [i, { outdir }] of apps.entries()) await replaceApp(outdir, appDirs[i] ?? '', built);
  } catch (error) {
    await Promise.all(apps.map(({ outdir }) => rm(outdir, { recursive: true, force: true })));
    throw error;
  }
  for (const stamp of stamps) stamp();
}

type Built = esbuild.BuildResult<{ write: false; metafile: true }>;

function bundleServices(apps: readonly AppOptions[]): Promise<Built> {
  const entryPoints = apps.map(({ entryPoints: [main = ''], outdir }) => ({
    in: main,
    out: outputOf(outdir, 'main'),
  }));
  return esbuild.build({ ...apps[0], entryPoints, outdir: root, write: false, metafile: true });
}

/** They run for seconds, and nobody profiles them: without white space they are two thirds as large. */
function bundleOperatorPrograms(apps: readonly AppOptions[], appDirs: readonly string[]): Promise<Built> {
  const entryPoints = apps.flatMap(({ outdir }, i) => {
    const appDir = appDirs[i] ?? '';
    if (operatorProgramsOf(appDir).length === 0) return [];
    return { in: operatorEntry(appDir), out: outputOf(outdir, basename(operatorBundle, '.js')) };
  });
  return esbuild.build({
    ...apps[0],
    entryPoints,
    plugins: [operatorProgramsPlugin, ...(apps[0]?.plugins ?? [])],
    outdir: root,
    minifyWhitespace: true,
    // Node prints the line of an error that nothing handles.
    lineLimit: 160,
    write: false,
    metafile: true,
  });
}

const { root } = parse(process.cwd());

/** The path of an output of a build of several apps, without its ending. */
function outputOf(outdir: string, name: string) {
  return relative(root, join(outdir, name));
}

async function replaceApp(outdir: string, appDir: string, built: readonly Built[]) {
  const bundles = built.flatMap(({ outputFiles }) =>
    outputFiles.filter(({ path }) => dirname(path) === outdir),
  );
  const operator = operatorProgramsOf(appDir).map((name) => ({
    path: join(outdir, `${name}.js`),
    text: operatorProgram(name),
  }));
  await replacePrograms(outdir, [...bundles, ...operator]);
  const folders = built.flatMap(({ metafile }) => packagesIn(metafile, outdir));
  const all = packageFolders([...folders, ...browserPackages(appDir)]);
  await replaceFile(join(outdir, packagesFile), `${JSON.stringify(all, null, 2)}\n`);
}

/** The packages in the bundles of an app. */
function packagesIn({ outputs }: esbuild.Metafile, outdir: string) {
  const own = Object.entries(outputs).filter(([path]) => dirname(resolve(path)) === outdir);
  return packageFolders(own.flatMap(([, output]) => includedFiles(output)));
}

type Program = Pick<esbuild.OutputFile, 'path' | 'text'>;

async function replacePrograms(outdir: string, outputs: readonly Program[]) {
  await mkdir(outdir, { recursive: true });
  await removeOthers(outdir, outputs);
  for (const { path, text } of outputs) await replaceFile(path, nameClassesOnly(text));
}

const NAME_ALL = 'var __name = (target, value) => __defProp(target, "name", { value, configurable: true });';
const NAME_CLASSES =
  'var __name = (target, value) => target.name === value || !target.prototype ? target : __defProp(target, "name", { value, configurable: true });';

/**
 * With `keepNames` a program names each closure whenever it creates one, which takes 3 % of the time of a busy gateway. Only
 * renamed classes need their names.
 */
function nameClassesOnly(program: string) {
  if (program.includes('var __name =') && !program.includes(NAME_ALL))
    throw new Error('esbuild names functions in another way than expected');
  return program.replace(NAME_ALL, NAME_CLASSES);
}

/** Removes programs that the app no longer has. */
async function removeOthers(outdir: string, outputs: readonly Program[]) {
  const built = new Set(outputs.map(({ path }) => path));
  const names = [...programs.map((name) => `${name}.js`), operatorBundle];
  const stale = names.map((name) => resolve(outdir, name)).filter((path) => !built.has(path));
  await Promise.all(stale.map((path) => rm(path, { force: true })));
}

async function replaceFile(path: string, contents: string) {
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, contents);
  await rename(temporary, path);
}

/**
 * Builds an app for development.
 * @returns a function that rebuilds it; rejects like `buildApp`
 */
export async function developApp(appDir: string): Promise<() => Promise<void>> {
  const context = await esbuild.context(developmentOptions(appDir));
  const rebuild = async () => void (await context.rebuild());
  await rebuild();
  return rebuild;
}

/** Builds the apps of the command line whose `dist` is out of date. */
async function main() {
  const apps = process.argv.slice(2);
  if (apps.length === 0) throw new Error('Usage: node tools/build/app.ts apps/<name> …');
  const shared = sharedInputs();
  const outdated = apps.filter((app) => !isBuilt(app, shared));
  if (outdated.length > 0) await buildApps(outdated);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main().catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
}

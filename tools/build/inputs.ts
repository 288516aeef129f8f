import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConstants } from './build-constants.ts';
import { guidePaths } from './guide-files.ts';

const workspace = fileURLToPath(new URL('../..', import.meta.url));

/** Inputs of every build besides the sources. */
const toolchain = [
  'package-lock.json',
  '.swcrc',
  'tools/build/app.ts',
  'tools/build/build-constants.ts',
  'tools/build/bundled-packages.ts',
  'tools/build/generated-modules.ts',
  'tools/build/guide-files.ts',
  'tools/build/guide-sections.ts',
  'tools/build/guides.ts',
  'tools/build/operator-programs.ts',
  'tools/build/page-module.ts',
  'tools/build/page-script.ts',
  'tools/build/reference-assets.ts',
  'tools/build/reference-viewer.ts',
  'tools/build/swc-plugin.ts',
];

/** Inputs of the packages besides the sources of libs and of the reference, whose document has the types of the calls. */
const packageInputs = [
  'CHANGELOG.md',
  'LICENSE',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'libs/client/tsconfig.build.json',
  ...['client', 'cli'].flatMap((lib) => [`libs/${lib}/README.md`, `libs/${lib}/package.json`]),
  ...[
    'bundled-packages',
    'cli',
    'cli-package',
    'client',
    'client-document',
    'client-types',
    'declarations',
    'install-files',
    'licences',
    'pack',
    'package-manifest',
    'package-texts',
    'swc-plugin',
  ].map((name) => `tools/build/${name}.ts`),
];

/** Inputs of the web application besides its sources and those of the client. */
const webInputPaths = [
  'package-lock.json',
  'apps/web/index.html',
  'apps/web/preview.html',
  'tools/build/bundled-packages.ts',
  'tools/build/inputs.ts',
  'tools/build/web-bundle.ts',
  'tools/build/web.ts',
];

/** The types of the client are made for type checkers alone (client-types.ts). */
const isMade = (name: string) => name.endsWith(join('generated', 'api.ts'));

function sourcesIn(dir: string) {
  if (!existsSync(dir)) return [];
  const names = readdirSync(dir, { recursive: true }) as string[];
  return names
    .filter((name) => /\.(tsx?|css)$/.test(name) && !/\.(spec|e2e)\.ts$/.test(name) && !isMade(name))
    .sort()
    .map((name) => join(dir, name));
}

function hashOf(paths: string[]) {
  const hash = createHash('sha256');
  for (const path of paths)
    hash.update(path.slice(workspace.length)).update('\0').update(readFileSync(path)).update('\0');
  return hash.digest('hex');
}

/** @returns the hash of the inputs that all apps share; compute it once for several apps */
export function sharedInputs(): string {
  // The gateway alone serves the CLI.
  const names = readdirSync(join(workspace, 'libs')).filter((lib) => lib !== 'cli');
  const libs = names.flatMap((lib) => sourcesIn(join(workspace, 'libs', lib, 'src')));
  return [hashOf([...existing(toolchain), ...libs]), ...Object.values(buildConstants())].join(' ');
}

/** @returns the hash of everything of which the packages are made that a deployment serves */
export function installInputs(): string {
  const folders = [
    ...readdirSync(join(workspace, 'libs')).map((lib) => `libs/${lib}/src`),
    'apps/gateway/src/reference',
  ];
  return hashOf([
    ...existing(packageInputs),
    ...folders.flatMap((folder) => sourcesIn(join(workspace, folder))),
  ]);
}

/** @returns the hash of everything of which the web application is made */
export function webInputs(): string {
  const folders = ['apps/web/src', ...webLibs.map((lib) => `libs/${lib}/src`)];
  return hashOf([
    ...existing(webInputPaths),
    ...folders.flatMap((folder) => sourcesIn(join(workspace, folder))),
  ]);
}

/** The libs in the web application. */
const webLibs = ['client', 'transparency', 'crypto'];

function existing(names: readonly string[]) {
  return names.map((name) => join(workspace, name)).filter((path) => existsSync(path));
}

function stampPath(appDir: string) {
  return resolve(appDir, 'dist/inputs.sha256');
}

/** The app whose program contains all services is out of date when one of them is. */
function appsIn(appDir: string) {
  if (basename(appDir) !== 'all') return [appDir];
  const apps = resolve(appDir, '..');
  return readdirSync(apps)
    .filter((name) => name !== 'web')
    .map((name) => join(apps, name));
}

function stampOf(appDir: string, shared: string) {
  const contained = appsIn(appDir);
  const isGateway = contained.some((app) => basename(app) === 'gateway');
  const guides = isGateway ? guidePaths.filter((path) => existsSync(path)) : [];
  const own = hashOf([...contained.flatMap((app) => sourcesIn(resolve(app, 'src'))), ...guides]);
  return [shared, own].join(' ');
}

/** Whether `dist` is up to date. Compares hashes, not modification times, which every checkout changes. */
export function isBuilt(appDir: string, shared: string = sharedInputs()) {
  return existsSync(stampPath(appDir)) && readFileSync(stampPath(appDir), 'utf8') === stampOf(appDir, shared);
}

/**
 * Hashes the inputs before a build.
 * @returns writes the hash after the build
 */
export function stampFor(appDir: string): () => void {
  const stamp = stampOf(appDir, sharedInputs());
  return () => writeFileSync(stampPath(appDir), stamp);
}

#!/usr/bin/env node
// The files that people install from a deployment: the command line as one file and as a package, and the client as a package.
// They are made once for a state of the sources, because a gateway is built of them, its tests, and the folders for `npm pack`.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { installInputs } from './inputs.ts';

const cache = fileURLToPath(new URL('../../.cache/install', import.meta.url));
const DAY_MS = 86_400_000;

/** The module that exports the files. Its source on the disk is only for the type checker. */
export const installFilesFile = /[\\/]install[\\/]install-files\.ts$/;

/** Base64 by name. */
export type InstallFiles = Readonly<Record<string, string>>;

const program = fileURLToPath(import.meta.url);
const pathOf = (inputs: string) => join(cache, `${inputs}.json`);

/** The files of the current sources. A child process makes them where Jest or a bundler asks, and must not wait. */
export function installFiles(): InstallFiles {
  const path = pathOf(installInputs());
  if (!existsSync(path)) {
    const { status, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`The packages cannot be made:\n${stderr}`);
  }
  return JSON.parse(readFileSync(path, 'utf8'));
}

/**
 * Replaces the module by the files.
 * @returns JavaScript
 */
export function installFilesModule(): string {
  return `export const installFiles = ${JSON.stringify(installFiles())};`;
}

/** The same for development, of sources of earlier: an edit of a contract must not wait for new packages. */
export function earlierInstallFilesModule(): string {
  const [newest] = paths().toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  if (newest === undefined) return installFilesModule();
  return `export const installFiles = ${readFileSync(newest, 'utf8')};`;
}

/** Makes the files in another process, whose memory is freed with it; the bundler of a build goes on meanwhile. */
export async function prepareInstallFiles(): Promise<void> {
  if (!existsSync(pathOf(installInputs()))) await promisify(execFile)(process.execPath, [program]);
}

/** Makes the files, unless they are those of the current sources. */
export async function ensureInstallFiles(): Promise<void> {
  const path = pathOf(installInputs());
  if (existsSync(path)) return;
  const text = JSON.stringify(await makeInstallFiles());
  await mkdir(cache, { recursive: true });
  // By a rename: another command may make them at the same time.
  await writeFile(`${path}.${process.pid}`, text);
  await rename(`${path}.${process.pid}`, path);
  await removeOld();
}

async function makeInstallFiles(): Promise<InstallFiles> {
  const [{ buildClient }, { buildCliPackage, cliBundle }, { pack }] = await Promise.all([
    import('./client.ts'),
    import('./cli-package.ts'),
    import('./pack.ts'),
  ]);
  const folder = await mkdtemp(join(tmpdir(), 'vaultsvc-packages-'));
  const [client, cli] = [join(folder, 'client'), join(folder, 'cli')];
  try {
    await Promise.all([buildClient(client), buildCliPackage(cli)]);
    const [bundle, ...tarballs] = await Promise.all([
      readFile(join(cli, cliBundle)),
      pack(cli),
      pack(client),
    ]);
    const [cliTarball, clientTarball] = tarballs.map((tarball) => tarball.toString('base64'));
    return {
      'vaultsvc.mjs': bundle.toString('base64'),
      'vaultsvc-cli.tgz': cliTarball ?? '',
      'vaultsvc-client.tgz': clientTarball ?? '',
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Removes what earlier sources have left; a build that runs may use those of the last hours. */
async function removeOld() {
  const old = paths().filter((path) => statSync(path).mtimeMs < Date.now() - DAY_MS);
  await Promise.all(old.map((path) => rm(path, { force: true })));
}

function paths() {
  if (!existsSync(cache)) return [];
  const names = readdirSync(cache).filter((name) => name.endsWith('.json'));
  return names.map((name) => join(cache, name));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  // The modes of files are a part of the tarballs.
  process.umask(0o022);
  await ensureInstallFiles();
}

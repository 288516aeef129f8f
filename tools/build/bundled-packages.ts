import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { workspace } from '../stack/settings.ts';

/** A package of which a bundle has a part. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As its `package.json` says: an SPDX expression. */
  readonly license: string | undefined;
  /** Relative to the workspace; undefined of one that no installation keeps. */
  readonly folder?: string;
}

/** The folders of the packages to which files belong, relative to the workspace, sorted. */
export function packageFolders(paths: readonly string[]): string[] {
  const folders = paths.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  return [...new Set(folders)].sort();
}

/**
 * The files of which an output has a part, relative to the workspace; not those that were read and left out. The build ran in the
 * current folder.
 */
export function includedFiles({ inputs }: Metafile['outputs'][string]): string[] {
  const included = Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return included.map(([path]) => relative(workspace, resolve(path)));
}

/** @param folder relative to the workspace */
export function readPackage(folder: string): BundledPackage {
  const text = readFileSync(join(workspace, folder, 'package.json'), 'utf8');
  const { name, version, license, licenses } = JSON.parse(text) as PackageManifest;
  return { name, version, license: license ?? licenses?.[0]?.type, folder };
}

/** Old packages list their licences. */
type PackageManifest = Pick<BundledPackage, 'name' | 'version'> & {
  license?: string;
  licenses?: readonly { type: string }[];
};

/** Packages in the scripts of pages, by the entry of the script: esbuild does not see them in the constants of the service. */
const inBrowserScripts: Map<string, readonly string[]> = new Map();

/** Notes the packages of a script that a page of an app loads. */
export function noteBrowserScript(entryPoint: string, metafile: Metafile): void {
  const folders = packageFolders(Object.values(metafile.outputs).flatMap(includedFiles));
  inBrowserScripts.set(resolve(entryPoint), folders);
}

/** The packages of the scripts below the folder of an app. */
export function browserPackages(appDir: string): string[] {
  const scripts = [...inBrowserScripts].filter(([entry]) => entry.startsWith(`${resolve(appDir)}/`));
  return scripts.flatMap(([, folders]) => folders);
}

/** Beside the programs of an app: the folders of the packages in them. */
export const packagesFile = 'packages.json';

/** @returns of a built app, or of another folder of programs */
export function packagesOf(dist: string): string[] {
  return JSON.parse(readFileSync(join(dist, packagesFile), 'utf8')) as string[];
}

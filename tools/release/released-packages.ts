import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagesOf, readPackage, type BundledPackage } from '../build/bundled-packages.ts';
import { viewer } from '../build/reference-viewer.ts';
import { allServices, services, workspace } from '../stack/settings.ts';

/** A package of others, of which a part is in the programs of a release. */
export interface ReleasedPackage extends BundledPackage {
  /** Of the package in the registry, as `package-lock.json` has it: `sha512-` and base64. */
  readonly integrity: string | undefined;
  /** The programs that contain it: services, `all`, `web` (the web application), `provision`, `cli`. */
  readonly programs: readonly string[];
}

/** The browser build of the API reference is downloaded as it is (`tools/build/reference-viewer.ts`), and is no installed package. */
const referenceViewer: ReleasedPackage = {
  name: viewer.name,
  version: viewer.version,
  license: 'MIT',
  integrity: viewer.integrity,
  programs: ['gateway'],
};

/**
 * What is really bundled, by the metafiles of the builds; not what is installed, of which most are tools.
 * @param others the packages of programs that are no services, by program
 */
export function releasedPackages(others: Readonly<Record<string, readonly string[]>>): ReleasedPackage[] {
  const ofServices = [...services, allServices, 'web'].map(
    (name) => [name, packagesOf(join(workspace, 'apps', name, 'dist'))] as const,
  );
  const all = [...ofServices, ...Object.entries(others)];
  const folders = [...new Set(all.flatMap(([, own]) => own))].sort();
  const lock = JSON.parse(readFileSync(join(workspace, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { integrity?: string }>;
  };
  const installed = folders.map((folder) => ({
    ...readPackage(folder),
    integrity: lock.packages[folder]?.integrity,
    programs: all.filter(([, own]) => own.includes(folder)).map(([name]) => name),
  }));
  return [...installed, referenceViewer];
}

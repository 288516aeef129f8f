import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '../stack/settings.ts';

const VERSION = /^\d+\.\d+\.\d+$/;

/** Those of the root and of every workspace that it names. */
function manifests(root: string) {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    workspaces: string[];
  };
  const folders = workspaces.flatMap((pattern) => {
    const parent = /^(.*)\/\*$/.exec(pattern)?.[1];
    return parent === undefined
      ? pattern
      : readdirSync(join(root, parent)).map((name) => `${parent}/${name}`);
  });
  return ['package.json', ...folders.map((folder) => `${folder}/package.json`)];
}

/** The constant that the command line prints, because its bundle has no `package.json`. */
const constant = 'libs/cli/src/version.ts';

/** @returns the places whose version is not that of the root `package.json`, empty for a consistent workspace */
export function differingVersions(root: string = workspace): string[] {
  const version = versionOf(root, 'package.json');
  const differing = manifests(root).filter((path) => versionOf(root, path) !== version);
  const text = readFileSync(join(root, constant), 'utf8');
  return text.includes(`'${String(version)}'`) ? differing : [...differing, constant];
}

function versionOf(root: string, path: string): unknown {
  return JSON.parse(readFileSync(join(root, path), 'utf8')).version;
}

/**
 * Gives every package of the workspace, its lock file and the command line a version.
 * @throws for what is no version of a release
 */
export function setVersion(version: string, root: string = workspace): void {
  if (!VERSION.test(version)) throw new Error(`${version} is no version such as 1.2.3`);
  const before = String(versionOf(root, 'package.json'));
  for (const path of [...manifests(root), constant]) replaceFirst(join(root, path), before, version);
  const lock = join(root, 'package-lock.json');
  if (existsSync(lock)) setLockedVersions(lock, version);
}

function replaceFirst(path: string, before: string, after: string) {
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace(new RegExp(`(['"])${before.replaceAll('.', '\\.')}\\1`), `$1${after}$1`));
}

/** The root and the packages of the workspace stand in the lock file; those of others are below `node_modules`. */
function setLockedVersions(path: string, version: string) {
  const lock = JSON.parse(readFileSync(path, 'utf8'));
  lock.version = version;
  for (const [folder, entry] of Object.entries<{ version?: string }>(lock.packages))
    if (!folder.includes('node_modules/') && entry.version !== undefined) entry.version = version;
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
}

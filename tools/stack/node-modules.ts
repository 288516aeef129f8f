import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureViewer, viewerFile } from '../build/reference-viewer.ts';
import { workspace } from './settings.ts';

const modules = join(workspace, 'node_modules');

/** npm writes this file when an installation is complete. */
const complete = join(modules, '.package-lock.json');

const lockFile = join(workspace, 'package-lock.json');

/** What is installed: the packages that the stack is built of and runs with (`dependencies`), or those of tests and checks too. */
type Scope = 'stack' | 'all';

// With NODE_ENV=production npm would omit the packages of tests. Scripts of packages do not run.
const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
const optionsOf = { stack: ['--omit=dev', ...options], all: ['--include=dev', ...options] };

interface LockedPackage {
  version?: string;
  integrity?: string;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
}
/** The parts of package-lock.json that are compared. */
type Lock = { packages: Record<string, LockedPackage> };

/** Whether the packages of package-lock.json and the viewer of the reference are here. */
export function hasNodeModules(scope: Scope) {
  return hasPackages(scope) && existsSync(viewerFile);
}

function hasPackages(scope: Scope) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8'));
  const names = Object.keys(scope === 'all' ? { ...dependencies, ...devDependencies } : dependencies);
  return [complete, ...names.map((name) => join(modules, name))].every((path) => existsSync(path));
}

/**
 * Installs what is missing. An installation of all packages stays one.
 * @throws with the output of npm, or the packages that differ from the lock
 */
export async function installNodeModules(scope: Scope) {
  const hasTests = existsSync(complete) && existsSync(join(modules, 'jest'));
  const packages = hasPackages(scope) ? undefined : installPackages(optionsOf[hasTests ? 'all' : scope]);
  await Promise.all([packages, ensureViewer()]);
}

/**
 * Installs exactly the packages of the lock. `npm ci` does that in an empty folder. `npm install` completes an installation,
 * whose packages a running stack may use, and accepts a lock that lacks optional packages of other platforms, as a registry
 * without them writes it; it fails here if it had to change a package.
 */
async function installPackages(options: readonly string[]) {
  const text = readFileSync(lockFile, 'utf8');
  const lock = JSON.parse(text);
  if (isWhole(lock) && !existsSync(complete)) return npm('ci', options);
  // Without it, an installation that is interrupted starts again from nothing.
  rmSync(complete, { force: true });
  try {
    await npm('install', options);
    const changed = changedPackages(lock, JSON.parse(readFileSync(lockFile, 'utf8')));
    if (changed.length > 0) throw new Error(`npm install would change ${changed.join(', ')}`);
  } catch (error) {
    rmSync(complete, { force: true });
    throw error;
  } finally {
    writeFileSync(lockFile, text);
  }
}

/** Whether the lock lists the optional packages of every platform, without which `npm ci` refuses it. */
export function isWhole({ packages }: Lock) {
  const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
  return Object.values(packages).every(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies).every((name) => names.has(name)),
  );
}

/**
 * The packages that differ between two locks. The second may list further optional packages.
 * @returns their paths
 */
export function changedPackages(locked: Lock, installed: Lock): string[] {
  const lost = Object.entries(locked.packages).filter(([path, { version, integrity }]) => {
    const now = installed.packages[path];
    return now?.version !== version || now?.integrity !== integrity;
  });
  const added = Object.entries(installed.packages).filter(
    ([path, { optional }]) => !(path in locked.packages) && !optional,
  );
  return [...lost, ...added].map(([path]) => path);
}

/** @throws with the output of npm */
async function npm(command: 'ci' | 'install', options: readonly string[]) {
  const child = spawn('npm', [command, ...options], { cwd: workspace, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  // npm prints the cause first, and advice after it.
  const keep = (data: Buffer) => (output = (output + data.toString()).slice(0, 2000));
  for (const stream of [child.stdout, child.stderr]) stream.on('data', keep);
  const code = await new Promise<number | null>((resolve, reject) =>
    child.on('error', reject).on('close', resolve),
  );
  if (code !== 0) throw new Error(`npm ${command} failed (${code}):\n${output.trim()}`);
}

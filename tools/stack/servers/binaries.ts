import { spawnSync } from 'node:child_process';
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Paths of the programs that the stack runs. */
export interface Binaries {
  natsServer: string;
  redisServer: string;
  postgres: string;
  /** Of the same PostgreSQL version, beside `postgres`. */
  initdb: string;
}

/** As Debian names them. */
export type ServerPackage = 'nats-server' | 'redis-server' | 'postgresql';
/** A command of the guides, as Debian names its package, too. */
export type SampleTool =
  | 'curl'
  | 'haproxy'
  | 'jq'
  | 'openssl'
  | 'pgbouncer'
  | 'prometheus'
  | 'python3'
  | 'zsh';
export type Package = ServerPackage | SampleTool | 'chromium' | 'python3-tuspy';

function isExecutable(path: string) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The folders where Debian and Homebrew install PostgreSQL's servers outside of PATH; newest version first. */
function versionFolders(root: string, folderOf: (version: string) => string) {
  try {
    const versions = readdirSync(root).filter((name) => /^(postgresql@)?\d+$/.test(name));
    const numberOf = (name: string) => Number(name.replace('postgresql@', ''));
    return versions.sort((a, b) => numberOf(b) - numberOf(a)).map((version) => join(root, folderOf(version)));
  } catch {
    return [];
  }
}

function postgresFolders() {
  const brew = ['/opt/homebrew/opt', '/usr/local/opt'];
  const bin = (version: string) => join(version, 'bin');
  return ['/usr/lib/postgresql', ...brew].flatMap((root) => versionFolders(root, bin));
}

/**
 * Looks for the three servers on PATH, in the sbin folders that a normal user's PATH lacks, and in the folders of Debian
 * and Homebrew for PostgreSQL.
 * @param where replaces PATH and the other folders, for tests
 */
export function findBinaries({
  path = process.env.PATH ?? '',
  folders = ['/usr/sbin', '/usr/local/sbin', ...postgresFolders()],
}: { path?: string; folders?: string[] } = {}): { found: Partial<Binaries>; missing: ServerPackage[] } {
  const places = [...path.split(delimiter).filter(Boolean), ...folders];
  const find = (name: string) => findIn(places, name);
  // PATH may find `postgres` of one version and `initdb` of another.
  const postgres = places.find(
    (place) => isExecutable(join(place, 'postgres')) && isExecutable(join(place, 'initdb')),
  );
  const found = {
    natsServer: find('nats-server'),
    redisServer: find('redis-server'),
    postgres: postgres && join(postgres, 'postgres'),
    initdb: postgres && join(postgres, 'initdb'),
  };
  return { found, missing: missingPackages(found) };
}

function findIn(places: string[], name: string) {
  return places.map((place) => join(place, name)).find(isExecutable);
}

/**
 * The commands that are not on PATH.
 * @param path replaces PATH, for tests
 */
export function missingTools<Tool extends SampleTool>(
  tools: readonly Tool[],
  path: string = process.env.PATH ?? '',
): Tool[] {
  const places = [...path.split(delimiter).filter(Boolean), '/usr/sbin'];
  return tools.filter((tool) => !findIn(places, tool));
}

/**
 * Chromium and Chrome by the names of their executables; on macOS they are inside an application. The first has no windows
 * and draws the same pages in two thirds of the processor time.
 */
const browserNames = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'Chromium',
  'Google Chrome',
];
const applications = ['Chromium', 'Google Chrome'].map((name) => `/Applications/${name}.app/Contents/MacOS`);

/**
 * The browser of the browser tests. A stack does not need it.
 * @param where replaces PATH and the applications' folders, for tests
 * @returns its path
 */
export function findChromium({
  path = process.env.PATH ?? '',
  folders = applications,
}: { path?: string; folders?: string[] } = {}): string | undefined {
  const places = [...path.split(delimiter).filter(Boolean), ...folders];
  return browserNames.map((name) => findIn(places, name)).find(Boolean);
}

/** The Python of the system, for which Debian's packages of Python are; others on PATH do not see them. */
export const SYSTEM_PYTHON = '/usr/bin/python3';

/**
 * Whether the system's Python has tuspy, the tus client for Python.
 * @param python replaces it, for tests
 */
export function hasTuspy(python: string = SYSTEM_PYTHON): boolean {
  return spawnSync(python, ['-c', 'import tusclient'], { stdio: 'ignore' }).status === 0;
}

function missingPackages(found: Partial<Binaries>): ServerPackage[] {
  const packages: [string | undefined, ServerPackage][] = [
    [found.natsServer, 'nats-server'],
    [found.redisServer, 'redis-server'],
    [found.postgres, 'postgresql'],
  ];
  return packages.filter(([binary]) => !binary).map(([, name]) => name);
}

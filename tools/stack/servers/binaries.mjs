import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * @typedef {object} Binaries paths of the programs that the stack runs
 * @property {string} natsServer
 * @property {string} redisServer
 * @property {string} postgres
 * @property {string} initdb of the same PostgreSQL version, beside `postgres`
 */

/** @typedef {'nats-server' | 'redis-server' | 'postgresql'} ServerPackage as Debian names them */
/** @typedef {'curl' | 'jq' | 'openssl' | 'python3'} SampleTool a command of the guides, as Debian names its package, too */
/** @typedef {ServerPackage | SampleTool | 'chromium'} Package */

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The folders where Debian and Homebrew install PostgreSQL's servers outside of PATH; newest version first.
 * @param {string} root
 * @param {(version: string) => string} folderOf
 */
function versionFolders(root, folderOf) {
  try {
    const versions = readdirSync(root).filter((name) => /^(postgresql@)?\d+$/.test(name));
    const numberOf = (/** @type {string} */ name) => Number(name.replace('postgresql@', ''));
    return versions.sort((a, b) => numberOf(b) - numberOf(a)).map((version) => join(root, folderOf(version)));
  } catch {
    return [];
  }
}

function postgresFolders() {
  const brew = ['/opt/homebrew/opt', '/usr/local/opt'];
  const bin = (/** @type {string} */ version) => join(version, 'bin');
  return ['/usr/lib/postgresql', ...brew].flatMap((root) => versionFolders(root, bin));
}

/**
 * Looks for the three servers on PATH, in the sbin folders that a normal user's PATH lacks, and in the folders of Debian
 * and Homebrew for PostgreSQL.
 * @param {{ path?: string, folders?: string[] }} [where] replaces PATH and the other folders, for tests
 * @returns {{ found: Partial<Binaries>, missing: ServerPackage[] }}
 */
export function findBinaries({
  path = process.env.PATH ?? '',
  folders = ['/usr/sbin', '/usr/local/sbin', ...postgresFolders()],
} = {}) {
  const places = [...path.split(delimiter).filter(Boolean), ...folders];
  const find = (/** @type {string} */ name) => findIn(places, name);
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

/**
 * @param {string[]} places
 * @param {string} name
 */
function findIn(places, name) {
  return places.map((place) => join(place, name)).find(isExecutable);
}

/**
 * The commands that are not on PATH.
 * @template {SampleTool} Tool
 * @param {readonly Tool[]} tools
 * @param {string} [path] replaces PATH, for tests
 * @returns {Tool[]}
 */
export function missingTools(tools, path = process.env.PATH ?? '') {
  const places = path.split(delimiter).filter(Boolean);
  return tools.filter((tool) => !findIn(places, tool));
}

/** Chromium and Chrome by the names of their executables; on macOS they are inside an application. */
const browserNames = ['chromium', 'chromium-browser', 'google-chrome', 'Chromium', 'Google Chrome'];
const applications = ['Chromium', 'Google Chrome'].map((name) => `/Applications/${name}.app/Contents/MacOS`);

/**
 * The browser of the browser tests. A stack does not need it.
 * @param {{ path?: string, folders?: string[] }} [where] replaces PATH and the applications' folders, for tests
 * @returns {string | undefined} its path
 */
export function findChromium({ path = process.env.PATH ?? '', folders = applications } = {}) {
  const places = [...path.split(delimiter).filter(Boolean), ...folders];
  return browserNames.map((name) => findIn(places, name)).find(Boolean);
}

/**
 * @param {Partial<Binaries>} found
 * @returns {ServerPackage[]}
 */
function missingPackages(found) {
  /** @type {[string | undefined, ServerPackage][]} */
  const packages = [
    [found.natsServer, 'nats-server'],
    [found.redisServer, 'redis-server'],
    [found.postgres, 'postgresql'],
  ];
  return packages.filter(([binary]) => !binary).map(([, name]) => name);
}

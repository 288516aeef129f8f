import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { findBinaries, findChromium, missingTools } from './binaries.mjs';

/** @typedef {import('./binaries.mjs').Binaries} Binaries */
/** @typedef {import('./binaries.mjs').Package} Package */
/** @typedef {import('./binaries.mjs').SampleTool} SampleTool */

/** Homebrew's names for Debian's packages. */
const brewNames = {
  'nats-server': 'nats-server',
  'redis-server': 'redis',
  postgresql: 'postgresql@16',
  chromium: '--cask chromium',
  curl: 'curl',
  jq: 'jq',
  openssl: 'openssl',
  python3: 'python',
};

/** Files that prevent Debian's packages from starting a server during their installation. */
const guards = [
  { path: '/usr/sbin/policy-rc.d', text: '#!/bin/sh\nexit 101\n', mode: 0o755 },
  {
    path: '/etc/postgresql-common/createcluster.d/vaultsvc.conf',
    text: 'create_main_cluster = false\n',
    mode: 0o644,
  },
];

/**
 * Finds the servers that the stack runs. As root on Debian or Ubuntu, installs the missing ones.
 * @param {{ path?: string, folders?: string[], canInstall?: boolean }} [options]
 * @returns {Promise<Binaries>}
 * @throws with the commands that install the missing packages
 */
export async function ensureBinaries({ canInstall = canInstallPackages(), ...where } = {}) {
  const { found, missing } = findBinaries(where);
  if (missing.length === 0) return /** @type {Binaries} */ (found);
  if (!canInstall) throw new Error(missingMessage(missing));
  await installPackages(missing);
  const after = findBinaries(where);
  if (after.missing.length > 0) throw new Error(missingMessage(after.missing));
  return /** @type {Binaries} */ (after.found);
}

/**
 * Finds the browser of the browser tests. As root on Debian or Ubuntu, installs it if it is missing.
 * @param {{ path?: string, folders?: string[], canInstall?: boolean }} [options]
 * @returns {Promise<string>} its path
 * @throws with the commands that install the missing packages
 */
export async function ensureChromium({ canInstall = canInstallPackages(), ...where } = {}) {
  const found = findChromium(where);
  if (found) return found;
  if (canInstall) await installPackages(['chromium']);
  const installed = canInstall && findChromium(where);
  if (!installed) throw new Error(missingMessage(['chromium']));
  return installed;
}

/**
 * Finds commands that samples and guides use. As root on Debian or Ubuntu, installs the missing ones.
 * @param {readonly SampleTool[]} tools
 * @param {{ path?: string, canInstall?: boolean }} [options]
 * @throws with the commands that install the missing packages
 */
export async function ensureTools(tools, { canInstall = canInstallPackages(), path } = {}) {
  const missing = missingTools(tools, path);
  if (missing.length === 0) return;
  if (canInstall) await installPackages(missing);
  const still = missingTools(tools, path);
  if (still.length > 0) throw new Error(missingMessage(still));
}

/**
 * @param {Package[]} missing
 * @returns {string} the missing packages and the commands that install them, on Debian and with Homebrew
 */
export function missingMessage(missing) {
  return [
    `Not found on this machine: ${missing.join(', ')}. Install and start again:`,
    `  Debian, Ubuntu:  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing.join(' ')}`,
    `  macOS:           brew install ${missing.map((name) => brewNames[name]).join(' ')}`,
  ].join('\n');
}

/** Whether this process may install packages: as root on Debian or Ubuntu. */
export function canInstallPackages() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  return existsSync('/etc/debian_version') && existsSync('/etc/os-release') && isDebianLike();
}

function isDebianLike() {
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync('/etc/os-release', 'utf8'));
}

/** Debian's packages that contain a server. */
const serverPackages = ['nats-server', 'redis-server', 'postgresql'];

/**
 * Installs packages of Debian or Ubuntu, as root. Servers among them are started neither now nor at boot.
 * @param {readonly string[]} packages
 * @returns {Promise<void>} rejects with the end of the output of apt-get
 */
export async function installPackages(packages) {
  const written = guards.filter(({ path }) => !existsSync(path));
  for (const guard of written) writeGuard(guard);
  try {
    await updateLists();
    await run('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', ...packages]);
  } finally {
    for (const { path } of written) rmSync(path, { force: true });
  }
  // The packages of servers enable a system service at boot, which the stack does not need.
  const services = packages.filter((name) => serverPackages.includes(name));
  if (services.length > 0 && existsSync('/run/systemd/system'))
    await run('systemctl', ['disable', '--quiet', ...services]);
}

const LISTS_LOCK_MS = 120_000;

/** `DPkg::Lock::Timeout` does not hold for the lock of the lists, so another update is waited for here. */
async function updateLists() {
  for (const end = Date.now() + LISTS_LOCK_MS; ; await delay(1_000))
    try {
      return await run('apt-get', ['-qq', 'update']);
    } catch (error) {
      const isLocked = /lists\/lock/.test(error instanceof Error ? error.message : '');
      if (!isLocked || Date.now() > end) throw error;
    }
}

/** @param {{ path: string, text: string, mode: number }} guard */
function writeGuard({ path, text, mode }) {
  mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true });
  writeFileSync(path, text, { mode });
}

/**
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<void>} rejects with the end of the command's output when it fails
 */
function run(command, args) {
  // Waits for the lock of another package manager, such as unattended upgrades or a second start.
  const waiting = command === 'apt-get' ? ['-o', 'DPkg::Lock::Timeout=120', ...args] : args;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_SUSPEND: '1' };
  const child = spawn(command, waiting, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => (output = (output + data).slice(-4000)));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`${command} ${args.join(' ')} failed (${code}):\n${output.trim()}`)),
    );
  });
}

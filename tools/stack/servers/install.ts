import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import {
  findBinaries,
  findChromium,
  hasTuspy,
  missingTools,
  type Binaries,
  type Package,
  type SampleTool,
} from './binaries.ts';

/** Homebrew's names for Debian's packages. */
const brewNames = {
  'nats-server': 'nats-server',
  'redis-server': 'redis',
  postgresql: 'postgresql@16',
  chromium: '--cask chromium',
  curl: 'curl',
  haproxy: 'haproxy',
  jq: 'jq',
  openssl: 'openssl',
  pgbouncer: 'pgbouncer',
  prometheus: 'prometheus',
  python3: 'python',
  'python3-tuspy': 'python && /usr/bin/python3 -m pip install --user tuspy',
  zsh: 'zsh',
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
 * @throws with the commands that install the missing packages
 */
export async function ensureBinaries({
  canInstall = canInstallPackages(),
  ...where
}: { path?: string; folders?: string[]; canInstall?: boolean } = {}): Promise<Binaries> {
  const { found, missing } = findBinaries(where);
  if (missing.length === 0) return found as Binaries;
  if (!canInstall) throw new Error(missingMessage(missing));
  await installPackages(missing);
  const after = findBinaries(where);
  if (after.missing.length > 0) throw new Error(missingMessage(after.missing));
  return after.found as Binaries;
}

/**
 * Finds the browser of the browser tests. As root on Debian or Ubuntu, installs it if it is missing.
 * @returns its path
 * @throws with the commands that install the missing packages
 */
export async function ensureChromium({
  canInstall = canInstallPackages(),
  ...where
}: { path?: string; folders?: string[]; canInstall?: boolean } = {}): Promise<string> {
  const found = findChromium(where);
  if (found) return found;
  if (canInstall) await installPackages([browserPackage()]);
  const installed = canInstall && findChromium(where);
  if (!installed) throw new Error(missingMessage(['chromium']));
  return installed;
}

/**
 * Finds commands that samples and guides use. As root on Debian or Ubuntu, installs the missing ones.
 * @throws with the commands that install the missing packages
 */
export async function ensureTools(
  tools: readonly SampleTool[],
  { canInstall = canInstallPackages(), path }: { path?: string; canInstall?: boolean } = {},
) {
  const missing = missingTools(tools, path);
  if (missing.length === 0) return;
  if (canInstall) await installPackages(missing);
  const still = missingTools(tools, path);
  if (still.length > 0) throw new Error(missingMessage(still));
}

/**
 * Finds tuspy, with which a test uploads. As root on Debian or Ubuntu, installs its package if it is missing.
 * @throws with the commands that install it
 */
export async function ensureTuspy({
  canInstall = canInstallPackages(),
  python,
}: { canInstall?: boolean; python?: string } = {}): Promise<void> {
  if (hasTuspy(python)) return;
  if (canInstall) await installPackages(['python3-tuspy']);
  if (!hasTuspy(python)) throw new Error(missingMessage(['python3-tuspy']));
}

/** @returns the missing packages and the commands that install them, on Debian and with Homebrew */
export function missingMessage(missing: Package[]): string {
  return [
    `Not found on this machine: ${missing.join(', ')}. Install and start again:`,
    `  Debian, Ubuntu:  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing.join(' ')}`,
    `  macOS:           brew install ${missing.map((name) => brewNames[name]).join(' ')}`,
  ].join('\n');
}

/** Whether this process may install packages: as root on Debian or Ubuntu. */
export function canInstallPackages() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  return existsSync('/etc/debian_version') && /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(osRelease());
}

function osRelease() {
  return existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
}

/** Ubuntu has no package of Chromium without windows. */
function browserPackage() {
  return /^ID=debian$/m.test(osRelease()) ? 'chromium-headless-shell' : 'chromium';
}

/** Debian's packages that contain a server. */
const serverPackages = ['nats-server', 'redis-server', 'postgresql', 'prometheus', 'haproxy', 'pgbouncer'];

/**
 * Installs packages of Debian or Ubuntu, as root. Servers among them are started neither now nor at boot.
 * @returns rejects with the end of the output of apt-get
 */
export async function installPackages(packages: readonly string[]): Promise<void> {
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

function writeGuard({ path, text, mode }: { path: string; text: string; mode: number }) {
  mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true });
  writeFileSync(path, text, { mode });
}

/** @returns rejects with the end of the command's output when it fails */
function run(command: string, args: string[]): Promise<void> {
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

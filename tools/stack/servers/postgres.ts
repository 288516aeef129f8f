import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';
import { probePostgres } from './probes.ts';
import type { ServerPlan } from './server.ts';

/** A PostgreSQL of this machine. */
export interface PostgresOptions {
  binaries: Binaries;
  /** Created when absent; must be accessible to the user of `postgresUser`. */
  dataDir: string;
  port: number;
  /** Of the superuser `postgres`. */
  password: string;
  logPath: string;
  childrenDir: string;
  /** False turns fsync and passwords off, for tests. */
  isDurable: boolean;
}

/**
 * The user that runs PostgreSQL, which refuses to run as root. Debian's package creates it.
 * @returns empty when this process is not root
 * @throws when it is root and there is no user `postgres`
 */
export function postgresUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  try {
    const idOf = (flag: string) =>
      Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: 'pipe' }));
    return { uid: idOf('-u'), gid: idOf('-g') };
  } catch {
    throw new Error(
      'PostgreSQL refuses to run as root and there is no user "postgres" to run it as: add one, or start as another user.',
    );
  }
}

/**
 * Creates a database cluster unless it exists.
 * @returns whether it was created
 */
export async function createCluster({
  binaries,
  dataDir,
  password,
  isDurable,
}: PostgresOptions): Promise<boolean> {
  if (existsSync(join(dataDir, 'PG_VERSION'))) return false;
  const user = postgresUser();
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const passwordFile = `${dataDir}.password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user.uid !== undefined)
    for (const path of [dataDir, passwordFile]) chownSync(path, user.uid, user.gid ?? user.uid);
  chmodSync(dataDir, 0o700);
  try {
    await promisify(execFile)(binaries.initdb, initArguments(dataDir, passwordFile, isDurable), {
      ...user,
      cwd: '/',
    });
  } catch (error) {
    // The next start would mistake an incomplete cluster for a complete one.
    rmSync(dataDir, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(passwordFile, { force: true });
  }
  return true;
}

function initArguments(dataDir: string, passwordFile: string, isDurable: boolean) {
  // Code-point order, so that listings are sorted alike on every machine; macOS has no C.UTF-8.
  const locale =
    process.platform === 'darwin' ? ['--locale=C', '--lc-ctype=en_US.UTF-8'] : ['--locale=C.UTF-8'];
  // For tests no password: both sides hash 4,096 times for each connection, and a spec file opens some forty.
  const auth = isDurable ? 'scram-sha-256' : 'trust';
  const access = ['--username=postgres', `--auth=${auth}`, `--pwfile=${passwordFile}`];
  const sync = isDurable ? [] : ['--no-sync'];
  return [
    '-D',
    dataDir,
    '--encoding=UTF8',
    ...locale,
    '--data-checksums',
    '--no-instructions',
    ...access,
    ...sync,
  ];
}

/** A private PostgreSQL on the loopback address. */
export function postgresPlan({
  binaries,
  dataDir,
  port,
  password,
  logPath,
  childrenDir,
  isDurable,
}: PostgresOptions): ServerPlan {
  return {
    name: 'postgres',
    url: `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`,
    command: binaries.postgres,
    args: [
      '-D',
      dataDir,
      ...Object.entries(settings(dataDir, port, isDurable)).flatMap(([name, value]) => [
        '-c',
        `${name}=${value}`,
      ]),
    ],
    cwd: '/',
    ...postgresUser(),
    // SIGINT is PostgreSQL's fast shutdown; SIGTERM waits until every client has disconnected.
    stopSignal: 'SIGINT',
    probe: () => probePostgres(port),
    logPath,
    childrenDir,
  };
}

function settings(dataDir: string, port: number, isDurable: boolean) {
  // Without fsync only a crash of the machine loses data, not a killed process, so tests with kills remain valid.
  const durability = isDurable ? {} : { fsync: 'off', full_page_writes: 'off' };
  return {
    listen_addresses: '127.0.0.1',
    port,
    // The path of a socket has at most 107 bytes (unix(7)).
    unix_socket_directories: dataDir.length < 90 ? dataDir : '',
    max_connections: 300,
    shared_buffers: '64MB',
    jit: 'off',
    // After a kill -9 PostgreSQL replays its log since the last checkpoint before it accepts connections: at most 256 MB, a few
    // seconds. A page is logged whole after each checkpoint, so that is compressed.
    max_wal_size: '256MB',
    wal_compression: 'on',
    timezone: 'UTC',
    // A failed statement and its row may contain secrets, so neither is logged.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...durability,
  };
}

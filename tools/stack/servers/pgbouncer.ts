import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgresUser } from './postgres.ts';
import { probePostgres } from './probes.ts';
import type { ServerPlan } from './server.ts';

/** A private PgBouncer in transaction mode on the loopback address, as deploy/README.md configures it without prepared statements. */
export function pgbouncerPlan({
  dataDir,
  port,
  postgresPort,
  user,
  logPath,
  childrenDir,
}: {
  dataDir: string;
  port: number;
  postgresPort: number;
  /** Of all its connections to PostgreSQL. */
  user: string;
  logPath: string;
  childrenDir: string;
}): ServerPlan {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const configPath = join(dataDir, 'pgbouncer.ini');
  const text = configuration(port, postgresPort, user);
  writeFileSync(configPath, text, { mode: 0o600 });
  // It refuses to run as root, as PostgreSQL does.
  const owner = postgresUser();
  if (owner.uid !== undefined)
    for (const path of [dataDir, configPath]) chownSync(path, owner.uid, owner.gid ?? owner.uid);
  return {
    name: 'pgbouncer',
    url: `postgres://${user}@127.0.0.1:${port}`,
    command: '/usr/sbin/pgbouncer',
    args: [configPath],
    cwd: '/',
    ...owner,
    stopSignal: 'SIGINT',
    probe: () => probePostgres(port),
    logPath,
    childrenDir,
  };
}

function configuration(port: number, postgresPort: number, user: string) {
  return `[databases]
* = host=127.0.0.1 port=${postgresPort} user=${user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
ignore_startup_parameters = extra_float_digits, options
`;
}

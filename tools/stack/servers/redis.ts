import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { probeRedis } from './probes.ts';
import { inspector, localAccessFile } from './redis-access.ts';
import type { ServerPlan } from './server.ts';

/** A Redis of this machine. */
export interface RedisOptions {
  binaries: Binaries;
  dataDir: string;
  port: number;
  passwords: Readonly<Record<string, string>>;
  logPath: string;
  childrenDir: string;
  isDurable: boolean;
  databases?: number;
  /** The port of its primary. */
  replicaOf?: number;
}

/**
 * A private Redis on the loopback address, which each service enters as a user of its own.
 * @returns with the URL of the inspector
 */
export function redisPlan(options: RedisOptions): ServerPlan {
  const { binaries, dataDir, port, passwords, logPath, childrenDir } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // A file, because every user of the machine may read the arguments of a process.
  const aclPath = join(dataDir, 'users.acl');
  writeFileSync(aclPath, localAccessFile(passwords), { mode: 0o600 });
  const password = passwords[inspector] ?? '';
  return {
    name: 'redis',
    url: redisUrl(port, inspector, password),
    command: binaries.redisServer,
    args: [...replicaConfig(options), ...argumentsOf(options, aclPath)],
    stopSignal: 'SIGTERM',
    probe: () => probeRedis(port, inspector, password),
    logPath,
    childrenDir,
  };
}

function argumentsOf({ port, dataDir, isDurable, databases = 16 }: RedisOptions, aclPath: string) {
  const settings = {
    bind: '127.0.0.1',
    port,
    dir: dataDir,
    databases,
    aclfile: aclPath,
    save: '',
    appendonly: isDurable ? 'yes' : 'no',
    // A killed process loses no data without fsync, and a slow disk delays no answer beyond the limiter's 250 ms.
    appendfsync: 'no',
    // The limiter's counters must never be evicted; without memory the limiter fails closed.
    'maxmemory-policy': 'noeviction',
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
}

/** Each server may become a replica of another one, which it enters as the inspector. */
function replicaConfig({ dataDir, passwords, replicaOf }: RedisOptions) {
  const path = join(dataDir, 'replica.conf');
  const lines = [
    `masteruser ${inspector}`,
    `masterauth ${passwords[inspector] ?? ''}`,
    'repl-diskless-sync-delay 0',
    ...(replicaOf === undefined ? [] : [`replicaof 127.0.0.1 ${replicaOf}`]),
  ];
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 });
  return [path];
}

/** @param port on 127.0.0.1 */
export function redisUrl(port: number, user: string, password: string) {
  return `redis://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}`;
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { probeRedis } from './probes.mjs';
import { inspector, localAccessFile } from './redis-access.mjs';

/**
 * A private Redis on the loopback address, which each service enters as a user of its own.
 * @param {object} options
 * @param {import('./binaries.mjs').Binaries} options.binaries
 * @param {string} options.dataDir
 * @param {number} options.port
 * @param {Readonly<Record<string, string>>} options.passwords of its users (`redisUsers`)
 * @param {string} options.logPath
 * @param {string} options.childrenDir
 * @param {boolean} options.isDurable whether data survives the process
 * @param {number} [options.databases]
 * @returns {import('./server.mjs').ServerPlan} with the URL of the inspector
 */
export function redisPlan({
  binaries,
  dataDir,
  port,
  passwords,
  logPath,
  childrenDir,
  isDurable,
  databases = 16,
}) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // A file, because every user of the machine may read the arguments of a process.
  const accessPath = join(dataDir, 'users.acl');
  writeFileSync(accessPath, localAccessFile(passwords), { mode: 0o600 });
  const settings = {
    bind: '127.0.0.1',
    port,
    dir: dataDir,
    databases,
    aclfile: accessPath,
    save: '',
    appendonly: isDurable ? 'yes' : 'no',
    // A killed process loses no data without fsync, and a slow disk delays no answer beyond the limiter's 250 ms.
    appendfsync: 'no',
    // The limiter's counters must never be evicted; without memory the limiter fails closed.
    'maxmemory-policy': 'noeviction',
  };
  const password = passwords[inspector] ?? '';
  return {
    name: 'redis',
    url: redisUrl(port, inspector, password),
    command: binaries.redisServer,
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    stopSignal: 'SIGTERM',
    probe: () => probeRedis(port, inspector, password),
    logPath,
    childrenDir,
  };
}

/**
 * @param {number} port on 127.0.0.1
 * @param {string} user
 * @param {string} password
 */
export function redisUrl(port, user, password) {
  return `redis://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}`;
}

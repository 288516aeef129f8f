import { mkdirSync } from 'node:fs';
import { probeRedis } from './probes.mjs';

/**
 * A private Redis on the loopback address.
 * @param {object} options
 * @param {import('./binaries.mjs').Binaries} options.binaries
 * @param {string} options.dataDir
 * @param {number} options.port
 * @param {string} options.logPath
 * @param {string} options.childrenDir
 * @param {boolean} options.isDurable whether data survives the process
 * @param {number} [options.databases]
 * @returns {import('./server.mjs').ServerPlan}
 */
export function redisPlan({ binaries, dataDir, port, logPath, childrenDir, isDurable, databases = 16 }) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const settings = {
    bind: '127.0.0.1',
    port,
    dir: dataDir,
    databases,
    save: '',
    appendonly: isDurable ? 'yes' : 'no',
    // A killed process loses no data without fsync, and a slow disk delays no answer beyond the limiter's 250 ms.
    appendfsync: 'no',
    // The limiter's counters must never be evicted; without memory the limiter fails closed.
    'maxmemory-policy': 'noeviction',
  };
  return {
    name: 'redis',
    url: `redis://127.0.0.1:${port}`,
    command: binaries.redisServer,
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    stopSignal: 'SIGTERM',
    probe: () => probeRedis(port),
    logPath,
    childrenDir,
  };
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { probeRedis } from './probes.ts';
import { inspector } from './redis-access.ts';
import { redisUrl } from './redis.ts';
import type { ServerPlan } from './server.ts';

/** The name of the primary at Sentinel. */
export const primaryName = 'vaultsvc';

/** What a Sentinel replaces a silent primary after. */
const DOWN_AFTER_MS = 1_000;

/** A private Sentinel that alone decides; a deployment has three. It has the user `inspector`, and no other. */
export function sentinelPlan({
  binaries,
  dataDir,
  port,
  primaryPort,
  password,
  logPath,
  childrenDir,
}: {
  binaries: Binaries;
  dataDir: string;
  port: number;
  primaryPort: number;
  /** Of the inspector, at Redis and here. */
  password: string;
  logPath: string;
  childrenDir: string;
}): ServerPlan {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const configPath = join(dataDir, 'sentinel.conf');
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `dir ${dataDir}`,
    'user default off',
    `user ${inspector} on >${password} ~* &* +@all`,
    `sentinel monitor ${primaryName} 127.0.0.1 ${primaryPort} 1`,
    `sentinel auth-user ${primaryName} ${inspector}`,
    `sentinel auth-pass ${primaryName} ${password}`,
    `sentinel down-after-milliseconds ${primaryName} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${primaryName} 5000`,
  ];
  writeFileSync(configPath, `${lines.join('\n')}\n`, { mode: 0o600 });
  return {
    name: 'sentinel',
    url: redisUrl(port, inspector, password),
    command: binaries.redisServer,
    args: [configPath, '--sentinel'],
    stopSignal: 'SIGTERM',
    probe: () => probeRedis(port, inspector, password),
    logPath,
    childrenDir,
  };
}

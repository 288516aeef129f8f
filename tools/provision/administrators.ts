import { createHash, randomBytes } from 'node:crypto';
import { deployedAccessFile, deployedRedisUsers, redisAdministrator } from '../stack/servers/redis-access.ts';
import { newNKey, type NKey } from './keys.ts';

/** The credentials of Redis, and those of the administrators, without whom no runbook can be followed. */
export interface Accesses {
  /** Passwords of Redis, by user. */
  redis: Record<string, string>;
  /** May publish and subscribe everywhere at NATS. */
  natsAdministrator: NKey;
}

/** Adds what is missing. */
export function completeAccesses({ redis = {}, natsAdministrator }: Partial<Accesses> = {}): Accesses {
  const passwords = deployedRedisUsers.map((user) => [
    user,
    redis[user] ?? randomBytes(24).toString('base64url'),
  ]);
  return { redis: Object.fromEntries(passwords), natsAdministrator: natsAdministrator ?? newNKey() };
}

/** The file of users for Redis (`aclfile`). */
export function redisUsersFile({ redis }: Accesses): string {
  return deployedAccessFile((user) =>
    createHash('sha256')
      .update(redis[user] ?? '')
      .digest('hex'),
  );
}

/** The URL of a service at Redis; nothing for a service that uses none. */
export function redisSettings({ redis }: Accesses, server: string, service: string): Record<string, string> {
  const password = redis[service];
  if (password === undefined) return {};
  const url = new URL(server);
  url.username = service;
  url.password = password;
  return { REDIS_URL: url.href.replace(/\/$/, '') };
}

/** The files of an administrator, by name: a seed for `nats --nkey`, and a password for `redis-cli --user administrator`. */
export function administratorFiles({ redis, natsAdministrator }: Accesses): Record<string, string> {
  return {
    'nats.nk': `${natsAdministrator.seed}\n`,
    'redis-password': `${redis[redisAdministrator]}\n`,
  };
}

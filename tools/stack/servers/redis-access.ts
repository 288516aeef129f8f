import { createHash } from 'node:crypto';

/** Commands that the client library and every script need; in a cluster, to read its slots and to follow a slot that moves. */
const connection = ['ping', 'select', 'eval', 'evalsha', 'cluster|slots', 'asking'];

/** Commands of the scripts that count a call. */
const counting = ['time', 'incr', 'expireat', 'expiretime'];

/**
 * What each service may do in Redis: commands, and keys that it reads (`%R~`), writes (`%W~`) or both (`~`). The local
 * stack, the specs and `deploy/redis.acl` use this one table. Commands inside scripts are checked too.
 */
export const redisAccess: Readonly<Record<string, { commands: readonly string[]; keys: readonly string[] }>> =
  {
    // Finds credentials and pool snapshots, counts calls, notes the use of API keys.
    gateway: {
      commands: ['get', ...counting, 'hset', 'expire'],
      keys: ['%R~cred:*', '%R~funds:*', '~rl:*', '~ip:*', '%W~used'],
    },
    // Writes credentials and waits for replicas to have them, reads the seats of a plan, flushes the use of API keys.
    auth: {
      commands: ['get', 'set', 'hmget', 'hgetall', 'hget', 'hdel', 'expire', 'wait'],
      keys: ['~cred:*', '%R~funds:*', '~used'],
    },
    // Counts refused transfers.
    forge: { commands: counting, keys: ['~ip:*'] },
    // Counts verified requests of providers on their account.
    integrations: { commands: counting, keys: ['~rl:*'] },
    // Writes pool snapshots.
    reporting: { commands: ['get', 'set'], keys: ['~funds:*'] },
  };

/** The user of people and tools that look into a local Redis; services never use it. */
export const inspector = 'inspector';

/** The user of an administrator, who empties Redis after a restore; services never use it. */
export const redisAdministrator = 'administrator';

/** Every user of a local Redis. */
export const redisUsers = [...Object.keys(redisAccess), redisAdministrator, inspector];

/**
 * An ACL file of a local Redis. Without a password of its own nobody may connect: the default user is off.
 * @param passwords of the users
 */
export function localAccessFile(passwords: Readonly<Record<string, string>>): string {
  const hashOf = (user: string) =>
    `#${createHash('sha256')
      .update(passwords[user] ?? '')
      .digest('hex')}`;
  return accessFile([
    ...Object.keys(redisAccess).map((service) => userLine(service, hashOf(service))),
    ...[redisAdministrator, inspector].map((user) => `user ${user} on ${hashOf(user)} ~* &* +@all`),
  ]);
}

/** The users of a deployed Redis. */
export const deployedRedisUsers = [...Object.keys(redisAccess), redisAdministrator];

/**
 * @returns the users of a deployment
 * @param hashOf the SHA-256 of a user's password; by default its place, as in `deploy/redis.acl`
 */
export function deployedAccessFile(hashOf = (user: string) => `SHA256_OF_${user}`): string {
  return accessFile([
    ...Object.keys(redisAccess).map((service) => userLine(service, `#${hashOf(service)}`)),
    `user ${redisAdministrator} on #${hashOf(redisAdministrator)} ~* &* +@all`,
  ]);
}

function accessFile(users: string[]) {
  return [...['user default off resetpass resetchannels -@all'], ...users, ''].join('\n');
}

function userLine(service: string, password: string) {
  const { commands, keys } = redisAccess[service] ?? { commands: [], keys: [] };
  const allowed = [...connection, ...commands].map((command) => `+${command}`);
  return ['user', service, 'on', password, 'resetchannels', ...keys, '-@all', ...allowed].join(' ');
}

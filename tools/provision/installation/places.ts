import { execFileSync } from 'node:child_process';
import type { ServerName } from './servers.ts';

/** Of a file. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Where the parts of an installation are: in containers of `compose.yaml`, or on one machine without any. */
export interface Places {
  /** The name by which services reach a server. */
  hostOf(server: ServerName): string;
  /** The user who alone reads the files of a server. */
  userOf(server: ServerName): Owner;
  /** The user of the services. */
  readonly serviceUser: Owner;
  readonly postgresPort: number;
  readonly redisPort: number;
}

/** The users are those of the images in `compose.yaml` and of `docker/Dockerfile`; a container is reached by its name. */
const containerUsers: Readonly<Record<ServerName, number>> = {
  postgres: 999,
  redis: 999,
  nats: 0,
  objects: 1000,
  mail: 1000,
};

export const containers: Places = {
  hostOf: (server) => server,
  userOf: (server) => alike(containerUsers[server]),
  serviceUser: alike(1000),
  postgresPort: 5432,
  redisPort: 6379,
};

/** Users of Debian's packages of the servers. */
const hostUsers: Partial<Readonly<Record<ServerName, string>>> = {
  postgres: 'postgres',
  redis: 'redis',
  nats: 'nats',
};

/**
 * All on one machine, under ports that the servers of its packages leave free.
 * @param user name of the user of the services
 * @throws Error naming a user that does not exist
 */
export function oneHost(user: string): Places {
  const serviceUser = ownerNamed(user);
  return {
    hostOf: () => 'localhost',
    userOf: (server) => (hostUsers[server] === undefined ? serviceUser : ownerNamed(hostUsers[server])),
    serviceUser,
    postgresPort: hostPorts.postgres,
    redisPort: hostPorts.redis,
  };
}

/** On loopback. */
export const hostPorts = { postgres: 5433, redis: 6380, nats: 4223 } as const;

/** In images the group of a user has its number. */
function alike(id: number): Owner {
  return { uid: id, gid: id };
}

function ownerNamed(name: string): Owner {
  const idOf = (kind: '--user' | '--group') =>
    Number(execFileSync('id', [kind, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: idOf('--user'), gid: idOf('--group') };
  } catch {
    throw new Error(`There is no user ${name}: useradd --system ${name}`);
  }
}

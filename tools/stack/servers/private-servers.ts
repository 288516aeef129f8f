import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { serviceGrants } from '../../kms/grants.ts';
import { ALIASES } from '../../kms/master-keys.ts';
import { ensureBinaries } from './install.ts';
import { identityPlan } from './identity.ts';
import { kmsPlan } from './kms.ts';
import { natsPlan, type NatsUsers } from './nats.ts';
import { freePort } from './ports.ts';
import { createCluster, postgresPlan } from './postgres.ts';
import { startPostgresPair } from './postgres-pair.ts';
import { redisUsers } from './redis-access.ts';
import { redisClusterPlans } from './redis-cluster.ts';
import { redisPlan } from './redis.ts';
import { sentinelPlan } from './sentinel.ts';
import { pgbouncerPlan } from './pgbouncer.ts';
import { Server } from './server.ts';
import { transitPlan } from './transit.ts';

/** The secret access key of every caller of a test's KMS emulator; the access key id of a service is its name. */
export const kmsSecret = 'secret-of-tests';

const kmsCallers = Object.fromEntries(
  Object.entries({ ...serviceGrants, test: { keys: ALIASES, random: true } }).map(([name, grant]) => [
    name,
    { ...grant, secret: kmsSecret },
  ]),
);

/** Temporary servers for tests, each on a free port with its data in one folder, without durability. */
export class PrivateServers {
  readonly dir: string;
  readonly childrenDir;

  /** @param dir an existing folder, which the caller deletes */
  constructor(dir: string) {
    this.dir = dir;
    this.childrenDir = join(dir, 'children');
    // PostgreSQL may run as another user, which needs to traverse the folder.
    chmodSync(dir, 0o711);
  }

  async #optionsFor(name: string) {
    const home = join(this.dir, `${name}-${randomBytes(4).toString('hex')}`);
    mkdirSync(home, { mode: 0o711 });
    const shared = { dataDir: join(home, 'data'), logPath: join(home, 'log'), childrenDir: this.childrenDir };
    return { ...shared, binaries: await ensureBinaries(), port: await freePort(), isDurable: false };
  }

  async startPostgres() {
    const options = await this.#postgresOptions();
    await createCluster(options);
    return new Server(postgresPlan(options)).start();
  }

  /** A primary and its synchronous standby. */
  async startPostgresPair() {
    return startPostgresPair(await this.#postgresOptions(), await this.#postgresOptions());
  }

  async #postgresOptions() {
    return { ...(await this.#optionsFor('postgres')), password: randomBytes(18).toString('base64url') };
  }

  /**
   * PgBouncer in transaction mode, without prepared statements.
   * @param user of its connections to PostgreSQL, which needs no password
   */
  async startPgBouncer(postgresPort: number, user: string) {
    return new Server(
      pgbouncerPlan({ ...(await this.#optionsFor('pgbouncer')), postgresPort, user }),
    ).start();
  }

  /** A primary, its replica, and a Sentinel; all know the same users. */
  async startRedisWithSentinel() {
    const password = randomBytes(18).toString('base64url');
    const passwords = Object.fromEntries(redisUsers.map((user) => [user, password]));
    const options = async () => ({ ...(await this.#optionsFor('redis')), isDurable: true, passwords });
    const own = await options();
    const primary = await new Server(redisPlan(own)).start();
    const replica = await new Server(redisPlan({ ...(await options()), replicaOf: own.port })).start();
    const place = { ...(await this.#optionsFor('sentinel')), primaryPort: own.port, password };
    return { primary, replica, sentinel: await new Server(sentinelPlan(place)).start() };
  }

  /**
   * A Redis Cluster of three masters with a replica each; all know the same users.
   * @param nodeTimeoutMs after which a silent master is dead: long for tests without kills, whose machine may be busy
   */
  async startRedisCluster({ nodeTimeoutMs = 30_000 } = {}) {
    const password = randomBytes(18).toString('base64url');
    const passwords = Object.fromEntries(redisUsers.map((user) => [user, password]));
    const options = async () => ({
      ...(await this.#optionsFor('redis')),
      busPort: await freePort(),
      nodeTimeoutMs,
      isDurable: true,
      passwords,
    });
    const pairs = [];
    for (let i = 0; i < 3; i += 1) pairs.push([await options(), await options()] as const);
    return Promise.all(redisClusterPlans(pairs).map((plan) => new Server(plan).start()));
  }

  /** @param isDurable for tests with kills, which check the data after a restart; a busy disk delays answers then */
  async startRedis({ isDurable = true } = {}) {
    // One password for all users: a spec enters as another service by its name alone.
    const password = randomBytes(18).toString('base64url');
    const passwords = Object.fromEntries(redisUsers.map((user) => [user, password]));
    const options = { ...(await this.#optionsFor('redis')), isDurable, databases: 512, passwords };
    return new Server(redisPlan(options)).start();
  }

  /** It keeps clients that are silent: the process of a spec may be busy for longer than a service. */
  async startNats(users: NatsUsers) {
    return new Server(natsPlan({ ...(await this.#optionsFor('nats')), users, findsFrozen: false })).start();
  }

  /** Three servers, which keep streams of three replicas while one of them is down. */
  async startNatsCluster(users: NatsUsers) {
    const ports = await Promise.all([freePort(), freePort(), freePort()]);
    const servers = ports.map(async (clusterPort, index) => {
      const cluster = { name: `nats-${index}`, port: clusterPort, routes: ports };
      const options = await this.#optionsFor('nats');
      return new Server(natsPlan({ ...options, users, cluster, findsFrozen: false })).start();
    });
    return Promise.all(servers);
  }

  /** The local stack's identity provider with one client, whose redirect URI is the provider's own page `/signin`. */
  async startIdentity(clientId: string) {
    const options = await this.#optionsFor('identity');
    const issuer = `http://127.0.0.1:${options.port}`;
    const client = { clientId, redirectUri: `${issuer}/signin`, trusted: issuer };
    return new Server(identityPlan({ ...options, ...client, apiOrigin: 'http://127.0.0.1:8080' })).start();
  }

  async startKms() {
    return new Server(kmsPlan({ ...(await this.#optionsFor('kms')), callers: kmsCallers })).start();
  }

  /** Services log in by AppRole with their name and `kmsSecret`. */
  async startTransit() {
    const all = { keys: ['*'], random: true, secret: kmsSecret };
    const callers = { ...kmsCallers, test: all };
    return new Server(transitPlan({ ...(await this.#optionsFor('transit')), callers })).start();
  }
}

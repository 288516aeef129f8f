// The ports of a stack: each is an offset from VAULTSVC_PORT.
import type { Settings } from './settings.ts';

const defaultPort = 8080;

const highestPort = 65_535;

/** The highest offset from VAULTSVC_PORT that a stack uses. */
export const lastOffset = { single: 47, clusters: 68 };

export type ClusterPorts = ReturnType<typeof clusterPorts>;

/**
 * The first port of a stack.
 * @param text the value of VAULTSVC_PORT
 * @param offset the highest offset that the stack uses
 * @throws when the text is no port, or the last port of the stack would be too high
 */
export function readFirstPort(text: string | undefined, offset: number): number {
  if (!text) return defaultPort;
  const port = /^\d+$/.test(text) ? Number(text) : 0;
  const highest = highestPort - offset;
  if (port < 1 || port > highest)
    throw new Error(`VAULTSVC_PORT must be an integer from 1 to ${highest}, not ${JSON.stringify(text)}`);
  return port;
}

/**
 * The ports that every stack uses.
 * @param services in the order of their private ports
 */
export function stackPorts(base: number, services: readonly string[]) {
  return {
    gateway: base,
    forge: base + 1,
    links: base + 2,
    files: base + 3,
    identity: base + 4,
    mail: base + 5,
    chat: base + 6,
    crma: base + 7,
    crmb: base + 8,
    postgres: base + 20,
    redis: base + 21,
    nats: base + 22,
    kms: base + 23,
    smtp: base + 24,
    apns: base + 25,
    /** Each service serves its health and metrics here. */
    private: Object.fromEntries(services.map((name, index) => [name, base + 40 + index])),
  };
}

/** The ports that only a stack with `--clusters` uses. */
export function clusterPorts(base: number) {
  const row = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => base + from + index);
  return {
    /** The services of the second shard serve their health and metrics here. */
    sparksHealth: base + 48,
    reportingHealth: base + 49,
    postgresStandby: base + 50,
    /** The second shard has its own PostgreSQL. */
    postgresShard: base + 51,
    postgresShardStandby: base + 52,
    /** The first server of NATS has the port of a single one; these are the others. */
    nats: row(53, 2),
    /** All servers of NATS have routes. */
    natsRoutes: row(55, 3),
    /** The first server of Redis has the port of a single one; these are the others. */
    redis: row(58, 5),
    /** All servers of Redis have a bus. */
    redisBuses: row(63, 6),
  };
}

/**
 * The settings of the second shard: the same stack with another PostgreSQL.
 * @throws for a stack without `--clusters`
 */
export function ofSecondShard(settings: Settings): Settings {
  const { clusters, ports } = settings;
  if (!clusters) throw new Error('A stack without --clusters has only one shard.');
  const { postgresShard, postgresShardStandby, sparksHealth: sparks, reportingHealth: reporting } = clusters;
  return {
    ...settings,
    shard: 1,
    ports: { ...ports, postgres: postgresShard, private: { ...ports.private, sparks, reporting } },
    clusters: { ...clusters, postgresStandby: postgresShardStandby },
  };
}

import { services, type Settings } from './settings.ts';
import type { ClusterPorts } from './stack-ports.ts';

/** The ports that this stack listens on, by their use. */
export function portsInUse({
  ports: all,
  clusters,
}: Pick<Settings, 'ports' | 'clusters'>): Record<string, number> {
  const { gateway, forge, links, files, private: own, ...ports } = all;
  const privatePorts = Object.fromEntries(services.map((name) => [`health of ${name}`, own[name] ?? 0]));
  return {
    gateway,
    Forge: forge,
    'link pages': links,
    'file pages': files,
    'identity provider': ports.identity,
    'mail page': ports.mail,
    'chat platform': ports.chat,
    'CRM A': ports.crma,
    'CRM B': ports.crmb,
    PostgreSQL: ports.postgres,
    Redis: ports.redis,
    NATS: ports.nats,
    KMS: ports.kms,
    SMTP: ports.smtp,
    APNs: ports.apns,
    ...privatePorts,
    ...(clusters && clusterPortsInUse(clusters)),
  };
}

function clusterPortsInUse(clusters: ClusterPorts) {
  return {
    'health of sparks, shard 1': clusters.sparksHealth,
    'health of reporting, shard 1': clusters.reportingHealth,
    'standby of PostgreSQL': clusters.postgresStandby,
    'PostgreSQL of shard 1': clusters.postgresShard,
    'standby of PostgreSQL of shard 1': clusters.postgresShardStandby,
    ...numbered('NATS', clusters.nats, 2),
    ...numbered('routes of NATS', clusters.natsRoutes, 1),
    ...numbered('Redis', clusters.redis, 2),
    ...numbered('cluster bus of Redis', clusters.redisBuses, 1),
  };
}

/** @param first the number of the server that has the first port */
function numbered(use: string, ports: readonly number[], first: number) {
  return Object.fromEntries(ports.map((port, index) => [`${use}, server ${index + first}`, port]));
}

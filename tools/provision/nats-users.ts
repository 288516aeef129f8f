import type { Keys } from './keys.ts';
import { hasOutbox, type Topology } from './topology.ts';

type Permissions = { publish: string[]; subscribe: string[] };

/** The stream of all events. */
export const stream = 'EVENTS';
/** That of the events of one service, with EVENT_STREAMS=each. */
const streamOf = (source: string) => `${stream}-${source}`;

/** Whether this is a stream of events. */
export function isEventStream(name: string): boolean {
  return name === stream || name.startsWith(`${stream}-`);
}

/**
 * The subjects of a service. A service can send no message as another one, and reads no reply and no event of others: the
 * inbox of a caller is open to the services that it calls, and the filter of a consumer is part of the subject that creates
 * it.
 */
export function permissionsOf(topology: Topology, service: string, shards = [0]): Permissions {
  const {
    calls = [],
    publishesTo = [],
    consumesFrom = [],
    signals = [],
    receives = [],
    isSharded = false,
  } = topology[service] ?? {};
  const callers = Object.keys(topology).filter((name) => callsService(topology, name, service));
  return {
    publish: [
      ...calls.flatMap((operation) => [`rpc.${operation}`, `rpc.${operation}.*`]),
      ...calledBy(topology, service).flatMap((called) => [
        `rpc.${called}.running`,
        `rpc.${called}.running.*`,
      ]),
      ...callers.map((caller) => `_INBOX.${caller}.>`),
      ...publishesTo.flatMap((consumer) => [
        `evt.${service}.${consumer}`,
        ...(topology[consumer]?.isSharded ? [`evt.${service}.${consumer}.*`] : []),
      ]),
      ...signals.map((prefix) => `${prefix}.*`),
      ...(hasOutbox(service) ? streamSubjects([service, ...consumesFrom]) : []),
      ...consumesFrom.flatMap((source) =>
        (isSharded ? shards : [0]).flatMap((shard) => consumerSubjects(service, source, shard)),
      ),
    ],
    subscribe: [
      `rpc.${service}.*`,
      `rpc.${service}.*.*`,
      `_INBOX.${service}.>`,
      ...receives.map((prefix) => `${prefix}.*`),
    ],
  };
}

function calledBy(topology: Topology, service: string) {
  return Object.keys(topology).filter((name) => callsService(topology, service, name));
}

function callsService(topology: Topology, caller: string, service: string) {
  return topology[caller]?.calls.some((operation) => operation.startsWith(`${service}.`));
}

/** The first service that starts creates a stream; none may change or delete it. */
function streamSubjects(sources: string[]) {
  const names = [stream, ...sources.map(streamOf)];
  return [
    '$JS.API.INFO',
    ...names.flatMap((name) => [`$JS.API.STREAM.INFO.${name}`, `$JS.API.STREAM.CREATE.${name}`]),
  ];
}

/** The name of a consumer is one token of a subject, so a pattern would allow those of other services: each shard is named. */
function consumerSubjects(service: string, source: string, shard: number) {
  const durable = shard === 0 ? `${service}-${source}` : `${service}-${source}-s${shard}`;
  const filter = shard === 0 ? `evt.${source}.${service}` : `evt.${source}.${service}.s${shard}`;
  return [stream, streamOf(source)].flatMap((name) => [
    `$JS.API.CONSUMER.CREATE.${name}.${durable}.${filter}`,
    `$JS.API.CONSUMER.INFO.${name}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${name}.${durable}`,
    `$JS.ACK.${name}.${durable}.>`,
  ]);
}

/**
 * The `authorization` block of a NATS server: a user for each service, and the given ones.
 * @param options `others`: users in the form of NATS's configuration; `timeoutSeconds`: for a client to authenticate, 2 unless
 *   given
 */
export function natsAuthorization(
  topology: Topology,
  { nats, shards }: Keys,
  { others = [], timeoutSeconds = 2 }: { others?: object[]; timeoutSeconds?: number } = {},
) {
  const users = Object.keys(topology).flatMap((service) => {
    const permissions = permissionsOf(topology, service, shards);
    return (nats[service] ?? []).map(({ publicKey }) => ({ nkey: publicKey, permissions }));
  });
  // NATS's configuration language includes JSON.
  return `authorization: ${JSON.stringify({ timeout: timeoutSeconds, users: [...users, ...others] }, null, 2)}\n`;
}

import type { Keys } from './keys.ts';
import { hasOutbox, type Topology } from './topology.ts';

type Permissions = { publish: string[]; subscribe: string[] };

/** The stream of all events. */
export const stream = 'EVENTS';

/**
 * The subjects of a service. A service can send no message as another one, and reads no reply and no event of others: the
 * inbox of a caller is open to the services that it calls, and the filter of a consumer is part of the subject that creates
 * it.
 */
export function permissionsOf(topology: Topology, service: string): Permissions {
  const {
    calls = [],
    publishesTo = [],
    consumesFrom = [],
    signals = [],
    receives = [],
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
      ...publishesTo.map((consumer) => `evt.${service}.${consumer}`),
      ...signals.map((prefix) => `${prefix}.*`),
      ...(hasOutbox(service) ? streamSubjects : []),
      ...consumesFrom.flatMap((source) => consumerSubjects(service, source)),
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

/** The first service that starts creates the stream; none may change or delete it. */
const streamSubjects = ['$JS.API.INFO', `$JS.API.STREAM.INFO.${stream}`, `$JS.API.STREAM.CREATE.${stream}`];

function consumerSubjects(service: string, source: string) {
  const durable = `${service}-${source}`;
  return [
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}.evt.${source}.${service}`,
    `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
    `$JS.ACK.${stream}.${durable}.>`,
  ];
}

/**
 * The `authorization` block of a NATS server: a user for each service, and the given ones.
 * @param options `others`: users in the form of NATS's configuration; `timeoutSeconds`: for a client to authenticate, 2 unless
 *   given
 */
export function natsAuthorization(
  topology: Topology,
  { nats }: Keys,
  { others = [], timeoutSeconds = 2 }: { others?: object[]; timeoutSeconds?: number } = {},
) {
  const users = Object.keys(topology).flatMap((service) => {
    const permissions = permissionsOf(topology, service);
    return (nats[service] ?? []).map(({ publicKey }) => ({ nkey: publicKey, permissions }));
  });
  // NATS's configuration language includes JSON.
  return `authorization: ${JSON.stringify({ timeout: timeoutSeconds, users: [...users, ...others] }, null, 2)}\n`;
}

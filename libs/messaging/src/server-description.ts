import { jetstreamManager, JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { NamedKeys } from '@vaultsvc/config';
import { weaknessOf } from './nats-server.js';
import type { EventStream } from './streams.js';

/**
 * The server and the stream of events in a sentence, for the program `check`.
 * @param stream that the settings ask for; undefined for a service without events, whose user may not ask for it
 */
export async function describeServer(
  connection: NatsConnection,
  stream: EventStream | undefined,
): Promise<string> {
  const { info } = connection;
  const weakness = info && weaknessOf(info);
  const release = weakness ?? `NATS ${info?.version ?? 'of an unknown release'}`;
  const server = `${connection.getServer()}; ${release}`;
  return stream === undefined ? server : `${server}; ${await describeStream(connection, stream)}`;
}

async function describeStream(connection: NatsConnection, { name, replicas }: EventStream): Promise<string> {
  try {
    const manager = await jetstreamManager(connection);
    const { config } = await manager.streams.info(name);
    const has = `stream ${name} with ${config.num_replicas} replicas`;
    return config.num_replicas === replicas ? has : `${has}, NATS_STREAM_REPLICAS is ${replicas}`;
  } catch (error) {
    const isMissing = error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
    if (isMissing) return `the first service creates the stream ${name}`;
    throw error;
  }
}

interface Messages {
  readonly calls: readonly string[];
  readonly consumesFrom: readonly string[];
}

/** The keys that a service must have and lacks, as `CALL_KEYS gateway-auth`. */
export function keysMissing(
  topology: Readonly<Record<string, Messages>>,
  service: string,
  calls: NamedKeys,
  events: NamedKeys,
): readonly string[] {
  const pairs = Object.entries(topology).flatMap(([caller, messages]) =>
    messages.calls.map((operation) => `${caller}-${operation.split('.')[0]}`),
  );
  const own = new Set(pairs.filter((pair) => pair.split('-').includes(service)));
  const sources = topology[service]?.consumesFrom ?? [];
  return [
    ...[...own].filter((pair) => !calls.has(pair)).map((pair) => `CALL_KEYS ${pair}`),
    ...sources.filter((source) => !events.has(source)).map((source) => `EVENT_KEYS ${source}`),
  ];
}

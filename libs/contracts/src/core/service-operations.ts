import { ListOf, Text, TextList } from './fields.js';
import { operation } from './operation.js';
import { EVERY_SHARD } from './shards.js';

/** A service that can do its work now. */
export class ServiceHealth {
  @Text({ max: 20 }) status: string;
  @Text({ max: 100 }) version: string;
}

/** The health check of a service. Its reply proves that NATS carries requests from the gateway to a handler. */
export function healthOperation<const S extends string>(service: S) {
  return operation({
    name: `${service}.health`,
    summary: 'Checks whether the service can do its work now.',
    access: 'internal',
    callers: ['gateway'],
    shardBy: EVERY_SHARD,
    reply: ServiceHealth,
    repeatable: true,
  });
}

/** A published event. */
export class EventReference {
  @Text({ max: 36 }) id: string;
  @Text({ max: 100 }) name: string;
}

/** Body of `<service>.unprocessed`. */
export class UnprocessedQuery {
  @Text({ max: 100 }) consumer: string;
  @ListOf(() => EventReference, { max: 1_000 }) events: EventReference[];
}

/** The ids of the events that are not processed. */
export class UnprocessedReply {
  @TextList({ maxItems: 1_000, max: 36 }) ids: string[];
}

/**
 * Asks a consumer which of up to 1,000 events it has not processed. The outbox reconciler of the publisher publishes those
 * again, which recovers events that JetStream lost.
 * @param publishers the services whose events this one applies
 */
export function unprocessedOperation<const S extends string>(service: S, publishers: readonly string[]) {
  return operation({
    name: `${service}.unprocessed`,
    summary: 'Returns which of these events the service has not processed.',
    access: 'internal',
    callers: publishers,
    shardBy: EVERY_SHARD,
    body: UnprocessedQuery,
    reply: UnprocessedReply,
    repeatable: true,
  });
}

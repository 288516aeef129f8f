import { statement, type Database } from '@vaultsvc/database';
import { addMetricSource, type MetricSource } from '@vaultsvc/telemetry';
import { Gauge } from 'prom-client';
import type { EventConsumer } from './event-consumer.js';

const outboxEvents = new Gauge({
  name: 'vaultsvc_outbox_events',
  help: 'Events in the outbox that are not sent yet, by service; counted up to 100,000.',
  labelNames: ['service'],
});
const outboxAge = new Gauge({
  name: 'vaultsvc_outbox_oldest_age_seconds',
  help: 'Age of the oldest event in the outbox, by service; 0 of an empty one.',
  labelNames: ['service'],
});
const sentBatches = new Gauge({
  name: 'vaultsvc_sent_batches',
  help: 'Batches of sent events that not every consumer has confirmed yet, by service; counted up to 100,000.',
  labelNames: ['service'],
});
const sentAge = new Gauge({
  name: 'vaultsvc_sent_batches_oldest_age_seconds',
  help: 'Age of the oldest batch that not every consumer has confirmed, by service; 15 minutes are normal.',
  labelNames: ['service'],
});
const deadLetters = new Gauge({
  name: 'vaultsvc_dead_letters',
  help: 'Events that could not be applied and wait for an operator, by consumer.',
  labelNames: ['consumer'],
});
const lag = new Gauge({
  name: 'vaultsvc_event_consumer_messages',
  help: 'Messages of a durable consumer, by consumer and state: pending (not delivered) or unacknowledged.',
  labelNames: ['consumer', 'state'],
});

const COUNT_MAX = 100_000;

/**
 * Measures outbox, sent batches, dead letters and consumers of a service at every scrape. Each instance shows the same
 * figures, which belong to the service: rules take their maximum.
 * @returns ends that
 */
export function measureMessaging(
  service: string,
  database: Database,
  consumers: readonly EventConsumer[],
): () => void {
  const sources = [
    outboxSource(service, database),
    deadLettersSource(database, consumers),
    ...consumers.map(consumerSource),
  ];
  const ends = sources.map(addMetricSource);
  return () => ends.forEach((end) => end());
}

interface OutboxState {
  readonly unsent: number;
  readonly unsent_age: number;
  readonly sent: number;
  readonly sent_age: number;
}

function outboxSource(service: string, database: Database): MetricSource {
  return {
    collect: async () => {
      const [row] = await database.query<OutboxState>(selectOutbox, [COUNT_MAX]);
      if (!row) return;
      outboxEvents.set({ service }, row.unsent);
      outboxAge.set({ service }, row.unsent_age);
      sentBatches.set({ service }, row.sent);
      sentAge.set({ service }, row.sent_age);
    },
    forget: () =>
      [outboxEvents, outboxAge, sentBatches, sentAge].forEach((gauge) => gauge.remove({ service })),
  };
}

/** A consumer without dead letters shows 0, so that an alert can tell it from one that cannot be read. */
function deadLettersSource(database: Database, consumers: readonly EventConsumer[]): MetricSource {
  const names = consumers.map(({ durable }) => durable);
  return {
    collect: async () => {
      const rows = await database.query<{ consumer: string; count: number }>(selectDeadLetters);
      const counts = new Map(rows.map(({ consumer, count }) => [consumer, count]));
      for (const consumer of names) deadLetters.set({ consumer }, counts.get(consumer) ?? 0);
    },
    forget: () => names.forEach((consumer) => deadLetters.remove({ consumer })),
  };
}

function consumerSource(consumer: EventConsumer): MetricSource {
  const name = consumer.durable;
  return {
    collect: async () => {
      const { num_pending, num_ack_pending } = await consumer.info();
      lag.set({ consumer: name, state: 'pending' }, num_pending);
      lag.set({ consumer: name, state: 'unacknowledged' }, num_ack_pending);
    },
    forget: () => ['pending', 'unacknowledged'].forEach((state) => lag.remove({ consumer: name, state })),
  };
}

/** The row with the lowest `seq` is about the oldest, which its primary key finds at once. */
const selectOutbox = statement(
  'metrics.outbox',
  `SELECT (SELECT count(*) FROM (SELECT 1 FROM outbox LIMIT $1) AS counted) AS unsent,
          (SELECT count(*) FROM (SELECT 1 FROM sent_batches LIMIT $1) AS counted) AS sent,
          coalesce((SELECT greatest(0, extract(epoch FROM now() - occurred_at)) FROM outbox ORDER BY seq LIMIT 1), 0)::float8 AS unsent_age,
          coalesce((SELECT greatest(0, extract(epoch FROM now() - occurred_at)) FROM sent_batches ORDER BY seq LIMIT 1), 0)::float8 AS sent_age`,
);

const selectDeadLetters = statement(
  'metrics.dead-letters',
  `SELECT consumer, count(*) AS count FROM dead_letters GROUP BY consumer`,
);

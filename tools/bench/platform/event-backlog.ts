// Waits until the services have applied all events, so that their cost counts for the operation that caused them.
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { natsOptions } from '../nats-options.ts';

const POLL_MS = 100;
const LIMIT_MS = 60_000;

export interface EventBacklog {
  /** Waits until it is empty. */
  wait: () => Promise<void>;
  close: () => Promise<void>;
}

/** @param database of a user who may see all schemas */
export async function openEventBacklog(stack: { nats_url: string }, database: Client): Promise<EventBacklog> {
  const nats = await connect(natsOptions(stack.nats_url));
  const manager = await jetstreamManager(nats);
  const hasUnsent = await unsentQuery(database);
  // An applied event may publish another one: the outboxes are read again after the consumers.
  const isEmpty = async () =>
    !(await hasUnsent()) && (await pendingMessages(manager)) === 0 && !(await hasUnsent());
  return { wait: () => waitUntil(isEmpty), close: () => nats.close() };
}

/** A prepared query, because polling should cost PostgreSQL little. */
async function unsentQuery(database: Client) {
  const { rows } = await database.query<{ schema: string }>(
    `SELECT quote_ident(table_schema) AS schema FROM information_schema.tables WHERE table_name = 'outbox'`,
  );
  const unsent = rows.map(({ schema }) => `EXISTS (SELECT FROM ${schema}.outbox)`);
  const query = { name: 'unsent', text: `SELECT ${unsent.join(' OR ')} AS unsent` };
  return async () => (await database.query<{ unsent: boolean }>(query)).rows[0]?.unsent;
}

/** Messages that a consumer has not received or not acknowledged. Consumers acknowledge after their commit. */
async function pendingMessages(manager: JetStreamManager) {
  let pending = 0;
  for await (const consumer of manager.consumers.list('EVENTS'))
    pending += consumer.num_pending + consumer.num_ack_pending;
  return pending;
}

async function waitUntil(isEmpty: () => Promise<boolean>) {
  const until = Date.now() + LIMIT_MS;
  while (!(await isEmpty())) {
    if (Date.now() > until) throw new Error(`events were not applied within ${LIMIT_MS / 1_000} s`);
    await delay(POLL_MS);
  }
}

import { BatchSentEvents1765400000000 } from './batch-sent-events.migration.js';
import { CreateIdempotencyKeys1767000000000 } from './create-idempotency-keys.migration.js';
import { CreateMessagingTables1700000000000 } from './create-messaging-tables.migration.js';

/**
 * The tables of at-least-once messaging and of repeated requests; every service that owns a schema lists these migrations
 * first.
 */
export const messagingMigrations = [
  CreateMessagingTables1700000000000,
  BatchSentEvents1765400000000,
  CreateIdempotencyKeys1767000000000,
];

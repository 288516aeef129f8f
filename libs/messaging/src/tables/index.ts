import type { Migration, Storage } from '@vaultsvc/database';
import { AddDeadLetterReplay1780000000000 } from './add-dead-letter-replay.migration.js';
import { AddOutboxTrace1780000000001 } from './add-outbox-trace.migration.js';
import { CreateIdempotencyKeys1769000000001 } from './create-idempotency-keys.migration.js';
import { CreateMessagingTables1769000000000 } from './create-messaging-tables.migration.js';

/**
 * The storage of a service that owns a schema: the tables of at-least-once messaging and of repeated requests, then its own.
 * @param entities of a service that uses TypeORM as an ORM; the others write SQL
 */
export function serviceStorage(
  migrations: readonly Migration[] = [],
  entities: NonNullable<Storage['entities']> = [],
): Storage {
  return {
    migrations: [
      CreateMessagingTables1769000000000,
      CreateIdempotencyKeys1769000000001,
      ...migrations,
      AddDeadLetterReplay1780000000000,
      AddOutboxTrace1780000000001,
    ],
    entities,
  };
}

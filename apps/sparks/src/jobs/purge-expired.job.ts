import { Injectable } from '@nestjs/common';
import { Database, runInBatches, statement } from '@vaultsvc/database';
import { SqlDataKeyStore } from '@vaultsvc/crypto/data-keys';
import type { LinkType } from '@vaultsvc/contracts/sparks';

/** Forgets messages that are of no use any more, sent or not, and how many there were in hours that are over. */
@Injectable()
export class PurgeMessages {
  readonly everySeconds = 60;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    for (const forget of [purgeMessages, purgeMessageCounts]) await runInBatches(this.database, forget);
  }
}

const purgeMessages = statement(
  'sparks.forget-messages',
  `DELETE FROM link_messages WHERE id IN (
     SELECT id FROM link_messages WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

// A minute more: whoever counts at the turn of the hour has read the clock before.
const purgeMessageCounts = statement(
  'sparks.forget-message-counts',
  `DELETE FROM message_counts WHERE (hour, account_id, channel) IN (
     SELECT hour, account_id, channel FROM message_counts WHERE hour <= now() - interval '61 minutes'
      ORDER BY hour LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING 1`,
);

/** Deletes the keys of hours whose Sparks have all expired: what they sealed is gone, from backups too. */
@Injectable()
export class DestroyEpochKeys {
  readonly everySeconds = 60;

  constructor(private readonly store: SqlDataKeyStore) {}

  async run(): Promise<void> {
    await this.store.destroyExpired();
  }
}

/** A group is forgotten when it is 30 days old and none of its Sparks is listed any more. */
@Injectable()
export class PurgeKindlings {
  readonly everySeconds = 3_600;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    await runInBatches(this.database, purgeKindlings);
  }
}

const purgeKindlings = statement(
  'sparks.forget-kindlings',
  `DELETE FROM kindlings WHERE id IN (
     SELECT k.id FROM kindlings k
      WHERE k.created_at <= now() - interval '30 days' AND NOT EXISTS (SELECT 1 FROM sparks WHERE kindling = k.id)
      ORDER BY k.created_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

/**
 * Days after its end: a link of an ingot is listed for as long; one of a Spark has left with its Spark by then, and was
 * made while that went if it has not.
 */
const DAYS: Readonly<Record<LinkType, number>> = { ingot: 30, spark: 3 };

/** Forgets links that ended long ago. */
@Injectable()
export class PurgeLinks {
  readonly everySeconds = 3_600;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    for (const [type, days] of Object.entries(DAYS))
      await runInBatches(this.database, purgeLinks, [type, days]);
  }
}

// `least` passes over ends that did not come: a durable link has but one.
export const purgeLinks = statement(
  'sparks.forget-links',
  `DELETE FROM sparklinks WHERE id IN (
     SELECT id FROM sparklinks
      WHERE link_type = $1 AND least(consumed_at, revoked_at, expires_at) <= now() - make_interval(days => $2)
      ORDER BY least(consumed_at, revoked_at, expires_at) LIMIT $3 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

/** Forgets codes and tokens that open nothing any more, and with them who asked for them. */
@Injectable()
export class PurgeVerifications {
  readonly everySeconds = 60;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    await runInBatches(this.database, purgeVerifications);
  }
}

const purgeVerifications = statement(
  'sparks.forget-verifications',
  `DELETE FROM verifications WHERE id IN (
     SELECT id FROM verifications
      WHERE expires_at <= now() AND (token_expires_at IS NULL OR token_expires_at <= now())
      ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

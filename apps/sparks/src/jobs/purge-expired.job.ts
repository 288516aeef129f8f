import { Injectable } from '@nestjs/common';
import type { LinkType } from '@vaultsvc/contracts/sparks';
import { DataKeyStore } from '@vaultsvc/crypto/data-keys';
import { Database, runInBatches, statement } from '@vaultsvc/database';
import { KeysDatabase } from '../epoch-keys/epoch-keys.providers.js';

/** Deletes expired messages, sent or not, and the message counts of past hours. */
@Injectable()
export class PurgeMessages {
  readonly everySeconds = 60;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    await runInBatches(this.database, purgeMessages);
    await runInBatches(this.database, purgeMessageCounts);
  }
}

const purgeMessages = statement(
  'sparks.purge-messages',
  `DELETE FROM link_messages WHERE id IN (
     SELECT id FROM link_messages WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

// A minute more than the hour: a transaction that started before the hour ended may still count for it.
const purgeMessageCounts = statement(
  'sparks.purge-message-counts',
  `DELETE FROM message_counts WHERE (hour, account_id, channel) IN (
     SELECT hour, account_id, channel FROM message_counts WHERE hour <= now() - interval '61 minutes'
      ORDER BY hour LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING 1`,
);

/** Deletes expired one-time codes, tokens and challenges, the identities that requested them, and the counts of codes. */
@Injectable()
export class PurgeVerifications {
  readonly everySeconds = 60;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    await runInBatches(this.database, purgeVerifications);
    await runInBatches(this.database, purgeCodeBudgets);
    await runInBatches(this.database, purgeChallenges);
  }
}

const purgeVerifications = statement(
  'sparks.purge-verifications',
  `DELETE FROM verifications WHERE id IN (
     SELECT id FROM verifications
      WHERE expires_at <= now() AND (token_expires_at IS NULL OR token_expires_at <= now())
      ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

const purgeCodeBudgets = statement(
  'sparks.purge-code-budgets',
  `DELETE FROM code_budgets WHERE (link_id, subject) IN (
     SELECT link_id, subject FROM code_budgets WHERE expires_at <= now()
      ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING 1`,
);

const purgeChallenges = statement(
  'sparks.purge-passkey-challenges',
  `DELETE FROM passkey_challenges WHERE lookup IN (
     SELECT lookup FROM passkey_challenges WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING 1`,
);

/**
 * Days after the end of a link. A link of an ingot is listed for 30 days. A link of a Spark is deleted with its Spark;
 * the 3 days are for one that was created during that deletion.
 */
const ENDED_LINK_DAYS: Readonly<Record<LinkType, number>> = { ingot: 30, spark: 3 };

/** Deletes links that ended long ago. */
@Injectable()
export class PurgeLinks {
  readonly everySeconds = 3_600;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    for (const [type, days] of Object.entries(ENDED_LINK_DAYS))
      await runInBatches(this.database, purgeLinks, [type, days]);
  }
}

// `least` ignores NULL: a link has at most one of the first two times, and a durable link has no expiry.
export const purgeLinks = statement(
  'sparks.purge-links',
  `DELETE FROM sparklinks WHERE id IN (
     SELECT id FROM sparklinks
      WHERE link_type = $1 AND least(consumed_at, revoked_at, expires_at) <= now() - make_interval(days => $2)
      ORDER BY least(consumed_at, revoked_at, expires_at) LIMIT $3 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

/** Deletes the policies of grants whose links, and the interaction tokens of these, have expired. */
@Injectable()
export class PurgeLinkPolicies {
  readonly everySeconds = 3_600;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    await runInBatches(this.database, purgeLinkPolicies);
  }
}

const purgeLinkPolicies = statement(
  'sparks.purge-link-policies',
  `DELETE FROM link_policies WHERE link_id IN (
     SELECT link_id FROM link_policies WHERE purge_at <= now() ORDER BY purge_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING 1`,
);

/** Deletes a group that is 30 days old once none of its Sparks is listed any more. */
@Injectable()
export class PurgeKindlings {
  readonly everySeconds = 3_600;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    await runInBatches(this.database, purgeKindlings);
  }
}

const purgeKindlings = statement(
  'sparks.purge-kindlings',
  `DELETE FROM kindlings WHERE id IN (
     SELECT k.id FROM kindlings k
      WHERE k.created_at <= now() - interval '30 days' AND NOT EXISTS (SELECT 1 FROM sparks WHERE kindling = k.id)
      ORDER BY k.created_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

/**
 * Deletes the epoch keys of hours whose Sparks have all expired, which makes backups of their content unreadable. Those of
 * earlier releases are in the main database.
 */
@Injectable()
export class DestroyEpochKeys {
  readonly everySeconds = 60;

  constructor(
    private readonly keysDatabase: KeysDatabase,
    private readonly formerStore: DataKeyStore,
  ) {}

  async run(): Promise<void> {
    await this.keysDatabase.store.destroyExpired();
    await this.formerStore.destroyExpired();
  }
}

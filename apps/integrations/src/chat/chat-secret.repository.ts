import { Injectable } from '@nestjs/common';
import { Database, epochSeconds, statement } from '@vaultsvc/database';

/** A secret that was sent through the chat, without its content. */
export interface ChatSecret {
  readonly sparkId: string;
  readonly accountId: string;
  readonly generation: number;
  readonly teamId: string;
  readonly channelId: string;
  readonly senderId: string;
  readonly characters: number;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

/** Seconds after which another instance takes over. */
const LEASE_SECONDS = 30;

@Injectable()
export class ChatSecretRepository {
  constructor(private readonly database: Database) {}

  /** Before its Spark exists: whatever happens then, the Spark is known. */
  async reserve(secret: Omit<ChatSecret, 'expiresAt'>, ttlSeconds: number): Promise<void> {
    const { sparkId, accountId, generation, teamId, channelId, senderId, characters } = secret;
    const ids = [sparkId, accountId, generation, teamId, channelId, senderId];
    await this.database.query(insertSecret, [...ids, characters, ttlSeconds]);
  }

  /** False if the reservation has been abandoned meanwhile. */
  async minted(sparkId: string, expiresAt: number): Promise<boolean> {
    return (await this.database.query(markMinted, [sparkId, expiresAt])).length > 0;
  }

  /** `isCurrent`: the installation through which it was sent is still there. */
  async find(sparkId: string): Promise<(ChatSecret & { readonly isCurrent: boolean }) | undefined> {
    const [row] = await this.database.query<Row & { is_current: boolean }>(findSecret, [sparkId]);
    return row && { ...secretOf(row), isCurrent: row.is_current };
  }

  /** Leases the next secret whose message is due, or whose call has died before its Spark was confirmed. */
  async claimDue(): Promise<(ChatSecret & { state: 'minting' | 'posting'; attempts: number }) | undefined> {
    const [row] = await this.database.query<Row & { state: 'minting' | 'posting'; attempts: number }>(
      claimDue,
      [],
    );
    return row && { ...secretOf(row), state: row.state, attempts: row.attempts };
  }

  async posted(sparkId: string): Promise<void> {
    await this.database.query(markPosted, [sparkId]);
  }

  async postpone(sparkId: string, seconds: number): Promise<void> {
    await this.database.query(postpone, [sparkId, seconds]);
  }

  async delete(sparkId: string): Promise<void> {
    await this.database.query(deleteSecret, [sparkId]);
  }

  async deleteExpired(): Promise<void> {
    await this.database.query(deleteExpired, []);
  }
}

interface Row {
  readonly spark_id: string;
  readonly account_id: string;
  readonly generation: number;
  readonly team_id: string;
  readonly channel_id: string;
  readonly sender_id: string;
  readonly characters: number;
  readonly expires_at: number;
}

function secretOf(row: Row): ChatSecret {
  return {
    sparkId: row.spark_id,
    accountId: row.account_id,
    generation: row.generation,
    teamId: row.team_id,
    channelId: row.channel_id,
    senderId: row.sender_id,
    characters: row.characters,
    expiresAt: row.expires_at,
  };
}

const COLUMNS = `spark_id, account_id, generation, team_id, channel_id, sender_id, characters, ${epochSeconds('expires_at')}`;

const insertSecret = statement(
  'integrations.insert-secret',
  `INSERT INTO chat_secrets (spark_id, account_id, generation, team_id, channel_id, sender_id, characters, state,
                             next_attempt_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, 'minting', now() + interval '${LEASE_SECONDS} seconds',
           now() + make_interval(secs => $8))`,
);

const markMinted = statement(
  'integrations.mark-minted',
  `UPDATE chat_secrets SET state = 'posting', next_attempt_at = now(), expires_at = to_timestamp($2)
    WHERE spark_id = $1 AND state = 'minting' RETURNING 1`,
);

const findSecret = statement(
  'integrations.find-secret',
  `SELECT ${COLUMNS}, EXISTS (
            SELECT 1 FROM installations i
             WHERE i.account_id = s.account_id AND i.app_id = 'chatapp' AND i.status = 'active'
               AND i.generation = s.generation AND i.remote_id = s.team_id) AS is_current
     FROM chat_secrets s WHERE spark_id = $1 AND state <> 'minting'`,
);

const claimDue = statement(
  'integrations.claim-secret',
  `UPDATE chat_secrets SET next_attempt_at = now() + interval '${LEASE_SECONDS} seconds', attempts = attempts + 1
    WHERE spark_id = (SELECT spark_id FROM chat_secrets WHERE state <> 'posted' AND next_attempt_at <= now()
                       ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING ${COLUMNS}, state, attempts`,
);

const markPosted = statement(
  'integrations.mark-posted',
  `UPDATE chat_secrets SET state = 'posted' WHERE spark_id = $1`,
);

const postpone = statement(
  'integrations.postpone-secret',
  `UPDATE chat_secrets SET next_attempt_at = now() + make_interval(secs => $2) WHERE spark_id = $1`,
);

const deleteSecret = statement('integrations.delete-secret', `DELETE FROM chat_secrets WHERE spark_id = $1`);

const deleteExpired = statement(
  'integrations.delete-expired-secrets',
  `DELETE FROM chat_secrets WHERE expires_at <= now() - interval '1 hour'`,
);

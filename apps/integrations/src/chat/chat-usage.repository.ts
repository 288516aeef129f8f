import { Injectable } from '@nestjs/common';
import type { ChatUsageRecord } from '@vaultsvc/contracts/integrations';
import { Database, statement } from '@vaultsvc/database';

/** A person of the chat platform. */
export interface ChatPerson {
  readonly id: string;
  readonly name: string;
}

/** Sums of a range of days. */
export interface UsageTotals {
  readonly sparks_created: number;
  readonly sparks_read: number;
}

/** Secrets by account, person and day of UTC. */
@Injectable()
export class ChatUsageRepository {
  constructor(private readonly database: Database) {}

  async countCreated(accountId: string, { id, name }: ChatPerson): Promise<void> {
    await this.database.query(count, [accountId, id, name, 1, 0]);
  }

  async countRead(accountId: string, { id, name }: ChatPerson): Promise<void> {
    await this.database.query(count, [accountId, id, name, 0, 1]);
  }

  /** At most `limit` records, newest day first. */
  records(accountId: string, from: string, to: string, limit: number): Promise<ChatUsageRecord[]> {
    return this.database.query<ChatUsageRecord>(readRecords, [accountId, from, to, limit]);
  }

  /** The records of one day, most created first. */
  day(accountId: string, date: string): Promise<ChatUsageRecord[]> {
    return this.database.query<ChatUsageRecord>(readDay, [accountId, date]);
  }
}

const count = statement(
  'integrations.count-usage',
  `INSERT INTO chat_usage (account_id, day, user_id, username, sparks_created, sparks_read)
   VALUES ($1, (now() AT TIME ZONE 'UTC')::date, $2, $3, $4, $5)
   ON CONFLICT (account_id, day, user_id) DO UPDATE
     SET username = $3, sparks_created = chat_usage.sparks_created + $4, sparks_read = chat_usage.sparks_read + $5`,
);

const RECORD = `to_char(day, 'YYYY-MM-DD') AS date, user_id AS slack_user_id, username, sparks_created, sparks_read`;

const readRecords = statement(
  'integrations.read-usage',
  `SELECT ${RECORD} FROM chat_usage WHERE account_id = $1 AND day BETWEEN $2::date AND $3::date
    ORDER BY day DESC, sparks_created DESC, user_id LIMIT $4`,
);

const readDay = statement(
  'integrations.read-usage-of-day',
  `SELECT ${RECORD} FROM chat_usage WHERE account_id = $1 AND day = $2::date ORDER BY sparks_created DESC, user_id`,
);

import { Injectable } from '@nestjs/common';
import type { Suppression } from '@vaultsvc/contracts/notify';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database, epochSeconds, readPosition, statement, toPage, type Page } from '@vaultsvc/database';
import { emailKey } from '../recipients/preference-keys.js';

/** The addresses that mail servers have refused for good, by account: another account's mails are not held up by them. */
@Injectable()
export class SuppressionRepository {
  constructor(private readonly database: Database) {}

  /** A refusal of an address that is suppressed already changes nothing. */
  async add(accountId: string, email: string, reason: string): Promise<void> {
    await this.database.query(add, [newId('sup_'), accountId, emailKey(email), email, reason]);
  }

  async has(accountId: string, email: string): Promise<boolean> {
    return (await this.database.query(find, [accountId, emailKey(email)])).length > 0;
  }

  /** Newest first. */
  async list(accountId: string, limit: number, cursor: string | undefined): Promise<Page<Suppression>> {
    const position = readPosition(cursor, 2);
    const values = [accountId, limit + 1, position?.[0] ?? null, position?.[1] ?? null];
    const rows = await this.database.query<SuppressionRow>(list, values);
    const page = toPage(rows, limit, ({ sort_key, suppression_id }) => [sort_key, suppression_id]);
    return { ...page, rows: page.rows.map(({ sort_key: _, ...shown }) => shown) };
  }

  /** False if the account has no such suppression. */
  async delete(accountId: string, id: string): Promise<boolean> {
    return (await this.database.query(deleteOne, [accountId, id])).length > 0;
  }
}

interface SuppressionRow extends Suppression {
  readonly sort_key: string;
}

const add = statement(
  'notify.add-suppression',
  `INSERT INTO suppressions (id, account_id, address_key, address, reason) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (account_id, address_key) DO NOTHING`,
);

const find = statement(
  'notify.find-suppression',
  `SELECT 1 FROM suppressions WHERE account_id = $1 AND address_key = $2`,
);

const list = statement(
  'notify.list-suppressions',
  `SELECT id AS suppression_id, address, reason, ${epochSeconds('created_at')}, created_at::text AS sort_key
     FROM suppressions s
    WHERE account_id = $1 AND ($3::text IS NULL OR (s.created_at, id) < ($3::timestamptz, $4))
    ORDER BY s.created_at DESC, id DESC LIMIT $2`,
);

const deleteOne = statement(
  'notify.delete-suppression',
  `DELETE FROM suppressions WHERE account_id = $1 AND id = $2 RETURNING id`,
);

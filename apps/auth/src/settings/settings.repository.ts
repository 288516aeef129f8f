import { Injectable } from '@nestjs/common';
import { Database, statement, type Queryable } from '@vaultsvc/database';

export type Settings = Record<string, unknown>;

/** Settings of accounts: one jsonb object each, which does not preserve the order of keys. */
@Injectable()
export class SettingsRepository {
  constructor(private readonly database: Database) {}

  async read(accountId: string): Promise<Settings> {
    return only(await this.database.query<Row>(readSettings, [accountId]));
  }

  /** Merges key by key; null removes a key. One statement, so that no concurrent change is lost. */
  async merge(tx: Queryable, accountId: string, changes: Settings): Promise<Settings> {
    return only(await tx.query<Row>(mergeSettings, [accountId, JSON.stringify(changes)]));
  }
}

interface Row {
  readonly settings: Settings;
}

function only(rows: readonly Row[]): Settings {
  const [row] = rows;
  if (!row) throw new Error('a credential of an account that does not exist');
  return row.settings;
}

const readSettings = statement('auth.read-settings', `SELECT settings FROM accounts WHERE id = $1`);

const mergeSettings = statement(
  'auth.merge-settings',
  `UPDATE accounts SET settings = (settings || $2::jsonb)
     - ARRAY(SELECT key FROM jsonb_each($2::jsonb) WHERE value = 'null'::jsonb)
    WHERE id = $1 RETURNING settings`,
);

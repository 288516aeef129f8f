import { Injectable } from '@nestjs/common';
import { NotifyConfiguration, type NotifyConfigurationChanges } from '@vaultsvc/contracts/notify';
import { Database, statement, type Queryable } from '@vaultsvc/database';
import { AccountSettings } from './account-settings.js';

/** A configuration as it is stored: without targets, which have their own table. */
export type StoredConfiguration = Omit<NotifyConfiguration, 'targets'>;

/** What changes of it. */
export type ConfigurationChanges = Omit<NotifyConfigurationChanges, 'targets'>;

@Injectable()
export class SettingsRepository {
  constructor(private readonly database: Database) {}

  /** The defaults for an account that has stored none. */
  async read(accountId: string): Promise<AccountSettings> {
    const [row] = await this.database.query<Row>(readSettings, [accountId]);
    return new AccountSettings(row && { ...new NotifyConfiguration(), ...row.settings });
  }

  /**
   * Merges changes into the configuration: member by member within `delivery` and `security`, category by category within
   * `channel_priority`, where null removes one. PostgreSQL merges, so that no concurrent change is lost.
   */
  async merge(tx: Queryable, accountId: string, changes: ConfigurationChanges): Promise<StoredConfiguration> {
    await tx.query(insertDefaults, [accountId, JSON.stringify(new NotifyConfiguration())]);
    const [row] = await tx.query<Row>(mergeSettings, [accountId, JSON.stringify(changes)]);
    if (!row) throw new Error('the configuration of an account was deleted');
    return row.settings;
  }
}

interface Row {
  readonly settings: StoredConfiguration;
}

const readSettings = statement(
  'notify.read-settings',
  `SELECT settings FROM configurations WHERE account_id = $1`,
);

/** Rows are complete, as older instances expect them. */
const insertDefaults = statement(
  'notify.insert-default-settings',
  `INSERT INTO configurations (account_id, settings) VALUES ($1, $2) ON CONFLICT (account_id) DO NOTHING`,
);

const mergeSettings = statement(
  'notify.merge-settings',
  `UPDATE configurations SET updated_at = now(), settings = settings || $2::jsonb || jsonb_build_object(
       'delivery', (settings->'delivery') || coalesce($2::jsonb->'delivery', '{}'),
       'security', (settings->'security') || coalesce($2::jsonb->'security', '{}'),
       'channel_priority', (settings->'channel_priority' || coalesce($2::jsonb->'channel_priority', '{}'))
          - ARRAY(SELECT key FROM jsonb_each($2::jsonb->'channel_priority') WHERE value = 'null'::jsonb))
    WHERE account_id = $1 RETURNING settings`,
);

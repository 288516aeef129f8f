import { Injectable } from '@nestjs/common';
import { NotifyConfiguration } from '@vaultsvc/contracts/notify';
import { Database, statement, type Queryable } from '@vaultsvc/database';
import { AccountSettings } from './account-settings.js';

/** A configuration as it is stored: without targets, which have their own table. */
type StoredConfiguration = Omit<NotifyConfiguration, 'targets'>;

@Injectable()
export class SettingsRepository {
  constructor(private readonly database: Database) {}

  /** The defaults for an account that has stored none. */
  async read(accountId: string): Promise<AccountSettings> {
    const [row] = await this.database.query<{ settings: StoredConfiguration }>(readSettings, [accountId]);
    return new AccountSettings(row && { ...new NotifyConfiguration(), ...row.settings });
  }

  async put(tx: Queryable, accountId: string, settings: StoredConfiguration): Promise<void> {
    await tx.query(putSettings, [accountId, JSON.stringify(settings)]);
  }
}

const readSettings = statement(
  'notify.read-settings',
  `SELECT settings FROM configurations WHERE account_id = $1`,
);

const putSettings = statement(
  'notify.put-settings',
  `INSERT INTO configurations (account_id, settings) VALUES ($1, $2)
   ON CONFLICT (account_id) DO UPDATE SET settings = $2, updated_at = now()`,
);

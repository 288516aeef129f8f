import { Injectable } from '@nestjs/common';
import type { Account, AccountChange } from '@vaultsvc/contracts/auth';
import { Database, epochSeconds, type Queryable, statement } from '@vaultsvc/database';

/** Profile data of an organization. No cached credential depends on it, so changes keep the account's version. */
@Injectable()
export class AccountDetailsRepository {
  constructor(private readonly database: Database) {}

  async read(accountId: string): Promise<Account> {
    return only(await this.database.query<Account>(readDetails, [accountId]));
  }

  /** Changes the fields that are given; null removes a logo. */
  async change(tx: Queryable, accountId: string, change: AccountChange): Promise<Account> {
    const { organization_name: name = null, logo_url_light: light, logo_url_dark: dark } = change;
    const values = [accountId, name, light !== undefined, light ?? null, dark !== undefined, dark ?? null];
    return only(await tx.query<Account>(changeDetails, values));
  }

  /** Resolves to false when there were no logos. */
  async removeLogos(tx: Queryable, accountId: string): Promise<boolean> {
    return (await tx.query(removeLogos, [accountId])).length > 0;
  }
}

/** Accounts are never deleted, so the account of a credential exists. */
function only(rows: readonly Account[]): Account {
  const [account] = rows;
  if (!account) throw new Error('a credential of an account that does not exist');
  return account;
}

const COLUMNS = `id AS account_id, organization_name, status, logo_url_light, logo_url_dark,
  ${epochSeconds('created_at')}`;

const readDetails = statement('auth.read-account', `SELECT ${COLUMNS} FROM accounts WHERE id = $1`);

const changeDetails = statement(
  'auth.update-account',
  `UPDATE accounts SET
     organization_name = coalesce($2::text, organization_name),
     logo_url_light = CASE WHEN $3::boolean THEN $4::text ELSE logo_url_light END,
     logo_url_dark = CASE WHEN $5::boolean THEN $6::text ELSE logo_url_dark END
   WHERE id = $1 RETURNING ${COLUMNS}`,
);

const removeLogos = statement(
  'auth.delete-account-logo',
  `UPDATE accounts SET logo_url_light = NULL, logo_url_dark = NULL
    WHERE id = $1 AND (logo_url_light IS NOT NULL OR logo_url_dark IS NOT NULL) RETURNING id`,
);

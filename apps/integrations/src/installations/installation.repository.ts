import { Injectable } from '@nestjs/common';
import { AppError, type AppInstallation, type ConnectedApp } from '@vaultsvc/contracts';
import type { AppId } from '@vaultsvc/contracts/integrations';
import { Database, epochSeconds, isUniqueViolation, statement, type Queryable } from '@vaultsvc/database';
import type { SealedText } from '@vaultsvc/crypto/data-keys';

export type Settings = Record<string, unknown>;

export type Remote = NonNullable<AppInstallation['remote']>;
export type { AppInstallation as Installation, ConnectedApp as ConnectedInstallation };

/** The account, and who acts for it. */
export type Owner = Pick<AppInstallation, 'accountId' | 'installedBy'>;

/** Installations. PostgreSQL decides which account a workspace belongs to, and whether an integration is installed. */
@Injectable()
export class InstallationRepository {
  constructor(private readonly database: Database) {}

  async list(accountId: string): Promise<AppInstallation[]> {
    return (await this.database.query<Row>(listActive, [accountId])).map(installationOf);
  }

  async find(accountId: string, appId: string): Promise<AppInstallation | undefined> {
    const [row] = await this.database.query<Row>(findActive, [accountId, appId]);
    return row && installationOf(row);
  }

  /** The installation, ended or not, in whose name what it has left is deleted. */
  async findLatest(accountId: string, appId: AppId): Promise<AppInstallation | undefined> {
    const [row] = await this.database.query<Row>(findLatest, [accountId, appId]);
    return row && installationOf(row);
  }

  /** The installation that serves a workspace, portal or org. @throws APP_SUSPENDED */
  async findConnected(appId: AppId, remoteId: string): Promise<ConnectedApp | undefined> {
    const living = await this.findLiving(appId, remoteId);
    if (living?.isSuspended) throw new AppError('APP_SUSPENDED');
    return living;
  }

  /** The same, suspended or not: its tokens are alive. */
  async findLiving(appId: AppId, remoteId: string): Promise<ConnectedApp | undefined> {
    const [row] = await this.database.query<TokenRow>(findLiving, [appId, remoteId]);
    return row && { ...installationOf(row), tokens: tokensOf(row) };
  }

  /** The tokens of an installation; undefined if it is not connected. */
  async tokens(accountId: string, appId: AppId): Promise<SealedText | undefined> {
    const [row] = await this.database.query<TokenRow>(findTokens, [accountId, appId]);
    return row && tokensOf(row);
  }

  /** Serializes changes of one account's installations until the commit: dependencies are about several rows. */
  async lock(tx: Queryable, accountId: string): Promise<void> {
    await tx.query(lockAccount, [accountId]);
  }

  async activeIds(tx: Queryable, accountId: string): Promise<readonly string[]> {
    return (await tx.query<Row>(listActive, [accountId])).map((row) => row.app_id);
  }

  /** Undefined if it is active already. @throws APP_REMOTE_TAKEN */
  async install(
    tx: Queryable,
    { accountId, installedBy }: Owner,
    appId: AppId,
    given: { readonly settings: Settings; readonly remoteId: string | null },
  ): Promise<AppInstallation | undefined> {
    const { userId, credentialId } = installedBy;
    if (given.remoteId !== null) await this.lockRemote(tx, appId, given.remoteId);
    const values = [accountId, appId, JSON.stringify(given.settings), given.remoteId, userId, credentialId];
    const [row] = await rejectTaken(tx.query<Row>(install, values));
    return row && installationOf(row);
  }

  /** Merges key by key; null removes a key. The caller takes over a suspended installation. Undefined if it is not active, or connected to another workspace. @throws APP_REMOTE_TAKEN */
  async update(
    tx: Queryable,
    { accountId, installedBy }: Owner,
    appId: AppId,
    change: { readonly settings: Settings; readonly remoteId: string | undefined },
  ): Promise<AppInstallation | undefined> {
    if (change.remoteId !== undefined) await this.lockRemote(tx, appId, change.remoteId);
    const values = [accountId, appId, JSON.stringify(change.settings), change.remoteId ?? null];
    const owner = [installedBy.userId, installedBy.credentialId];
    const [row] = await rejectTaken(tx.query<Row>(update, [...values, ...owner]));
    return row && installationOf(row);
  }

  /** Undefined if it is not active, or not connected with `only` these tokens any more. */
  async remove(
    tx: Queryable,
    accountId: string,
    appId: AppId,
    only?: SealedText,
  ): Promise<{ readonly remoteId: string | null; readonly tokens: SealedText | undefined } | undefined> {
    const [row] = await tx.query<{ remote_id: string | null } & Partial<SealedText>>(remove, [
      accountId,
      appId,
      only?.sealed ?? null,
    ]);
    if (!row) return undefined;
    return { remoteId: row.remote_id, tokens: row.sealed ? tokensOf(row as SealedText) : undefined };
  }

  /**
   * Serializes claims and grants of one workspace, portal or org until the commit: a grant displaces a claim. It is acquired
   * before the rows are locked, so that no two transactions wait for each other.
   */
  async lockRemote(tx: Queryable, appId: AppId, remoteId: string): Promise<void> {
    await tx.query(lockRemote, [`${appId} ${remoteId}`]);
  }
}

/** An installation as the columns of `COLUMNS`. */
export interface Row {
  readonly account_id: string;
  readonly app_id: AppId;
  readonly generation: number;
  readonly settings: Settings;
  readonly remote_id: string | null;
  readonly remote: Remote | null;
  readonly vault_id: string | null;
  readonly installed_at: number;
  readonly is_suspended: boolean;
  readonly installed_by_user_id: string | null;
  readonly installed_by_credential_id: string;
}
/** The same with `data_key_id` and `sealed`. */
export type TokenRow = Row & SealedText;

export function installationOf(row: Row): AppInstallation {
  return {
    accountId: row.account_id,
    appId: row.app_id,
    generation: row.generation,
    settings: row.settings,
    remoteId: row.remote_id,
    remote: row.remote,
    vaultId: row.vault_id,
    installedAt: row.installed_at,
    isSuspended: row.is_suspended,
    installedBy: { userId: row.installed_by_user_id, credentialId: row.installed_by_credential_id },
  };
}

export function tokensOf({ data_key_id, sealed }: SealedText): SealedText {
  return { data_key_id, sealed };
}

/** Throws APP_REMOTE_TAKEN where another account has the workspace, portal or org. */
export async function rejectTaken<T>(query: Promise<T>): Promise<T> {
  return query.catch((error: unknown) => {
    throw isUniqueViolation(error, 'installations_remote')
      ? new AppError('APP_REMOTE_TAKEN', undefined, { cause: error })
      : error;
  });
}

export const COLUMNS = `account_id, app_id, generation, settings, remote_id, remote, vault_id,
                 ${epochSeconds('installed_at')}, is_suspended, installed_by_user_id, installed_by_credential_id`;

const listActive = statement(
  'integrations.list-active',
  `SELECT ${COLUMNS} FROM installations WHERE account_id = $1 AND status = 'active' ORDER BY app_id`,
);

const findActive = statement(
  'integrations.find-active',
  `SELECT ${COLUMNS} FROM installations WHERE account_id = $1 AND app_id = $2 AND status = 'active'`,
);

const findLatest = statement(
  'integrations.find-latest',
  `SELECT ${COLUMNS} FROM installations WHERE account_id = $1 AND app_id = $2`,
);

const findLiving = statement(
  'integrations.find-living',
  `SELECT ${COLUMNS}, data_key_id, sealed FROM installations
    WHERE app_id = $1 AND remote_id = $2 AND status = 'active' AND sealed IS NOT NULL`,
);

const findTokens = statement(
  'integrations.find-tokens',
  `SELECT data_key_id, sealed FROM installations WHERE account_id = $1 AND app_id = $2 AND sealed IS NOT NULL`,
);

const lockAccount = statement(
  'integrations.lock-account',
  `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`,
);

const lockRemote = statement(
  'integrations.lock-remote',
  `SELECT pg_advisory_xact_lock(hashtextextended($1, 1))`,
);

const merged = (settings: string, changes: string) =>
  `(${settings} || ${changes}::jsonb) - ARRAY(SELECT key FROM jsonb_each(${changes}::jsonb) WHERE value = 'null'::jsonb)`;

const install = statement(
  'integrations.install',
  `INSERT INTO installations (account_id, app_id, status, settings, remote_id, installed_by_user_id, installed_by_credential_id)
   VALUES ($1, $2, 'active', ${merged(`'{}'::jsonb`, '$3')}, $4, $5, $6)
   ON CONFLICT (account_id, app_id) DO UPDATE
     SET status = 'active', generation = installations.generation + 1, settings = ${merged('installations.settings', '$3')}, remote_id = $4,
         remote = NULL, vault_id = NULL, installed_by_user_id = $5, installed_by_credential_id = $6, installed_at = now()
   WHERE installations.status = 'removed'
   RETURNING ${COLUMNS}`,
);

// A suspended installation is taken over. Requests of another workspace than the connected one must not reach this account.
const update = statement(
  'integrations.update',
  `UPDATE installations SET settings = ${merged('settings', '$3')}, remote_id = coalesce($4, remote_id), is_suspended = false,
         installed_by_user_id = CASE WHEN is_suspended THEN $5 ELSE installed_by_user_id END,
         installed_by_credential_id = CASE WHEN is_suspended THEN $6 ELSE installed_by_credential_id END
    WHERE account_id = $1 AND app_id = $2 AND status = 'active' AND (sealed IS NULL OR remote_id = coalesce($4, remote_id))
   RETURNING ${COLUMNS}`,
);

// RETURNING has the row after the change, so that the tokens come from the row before it.
const remove = statement(
  'integrations.remove',
  `WITH before AS (SELECT remote_id, data_key_id, sealed FROM installations
                    WHERE account_id = $1 AND app_id = $2 AND status = 'active' AND ($3::bytea IS NULL OR sealed = $3)
                      FOR UPDATE),
        removed AS (UPDATE installations
                       SET status = 'removed', data_key_id = NULL, sealed = NULL, hinted_at = NULL, hint_due_at = NULL,
                           is_suspended = false
                     WHERE account_id = $1 AND app_id = $2 AND EXISTS (SELECT 1 FROM before))
   SELECT remote_id, data_key_id, sealed FROM before`,
);

import { Injectable } from '@nestjs/common';
import { AppError, type AppInstallation, type ConnectedApp } from '@vaultsvc/contracts';
import type { AppId } from '@vaultsvc/contracts/integrations';
import { Database, epochSeconds, isUniqueViolation, statement, type Queryable } from '@vaultsvc/database';
import type { SealedText } from '@vaultsvc/crypto/data-keys';

export type Settings = Record<string, unknown>;

export type Remote = NonNullable<AppInstallation['remote']>;
export type { AppInstallation as Installation, ConnectedApp as ConnectedInstallation };

/** The connection that an OAuth callback makes. */
export interface Connection {
  readonly remoteId: string;
  readonly remote: Remote;
  readonly vaultId: string | null;
  readonly tokens: SealedText;
}

type Owner = Pick<AppInstallation, 'accountId' | 'installedBy'>;

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

  /** The installation that is connected to a workspace, portal or org. */
  async findConnected(appId: AppId, remoteId: string): Promise<ConnectedApp | undefined> {
    const [row] = await this.database.query<TokenRow>(findConnected, [appId, remoteId]);
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
    const values = [accountId, appId, JSON.stringify(given.settings), given.remoteId, userId, credentialId];
    const [row] = await rejectTaken(tx.query<Row>(install, values));
    return row && installationOf(row);
  }

  /** Merges key by key; null removes a key. Undefined if it is not active, or connected to another workspace. @throws APP_REMOTE_TAKEN */
  async update(
    tx: Queryable,
    accountId: string,
    appId: AppId,
    change: { readonly settings: Settings; readonly remoteId: string | undefined },
  ): Promise<AppInstallation | undefined> {
    const values = [accountId, appId, JSON.stringify(change.settings), change.remoteId ?? null];
    const [row] = await rejectTaken(tx.query<Row>(update, values));
    return row && installationOf(row);
  }

  /** The connection until the commit; undefined if there is none. */
  async lockConnection(
    tx: Queryable,
    accountId: string,
    appId: AppId,
  ): Promise<{ readonly remoteId: string; readonly tokens: SealedText } | undefined> {
    const [row] = await tx.query<SealedText & { remote_id: string }>(lockTokens, [accountId, appId]);
    return row && { remoteId: row.remote_id, tokens: tokensOf(row) };
  }

  /** Connects an installation, active or not. @throws APP_REMOTE_TAKEN */
  async connect(
    tx: Queryable,
    { accountId, installedBy }: Owner,
    appId: AppId,
    { remoteId, remote, vaultId, tokens }: Connection,
  ): Promise<void> {
    const values = [accountId, appId, remoteId, JSON.stringify(remote), vaultId];
    const owner = [installedBy.userId, installedBy.credentialId];
    await rejectTaken(tx.query(connect, [...values, tokens.data_key_id, tokens.sealed, ...owner]));
  }

  /** Leases the next connection of a CRM whose tokens are due. */
  async claimRefresh(): Promise<ConnectedApp | undefined> {
    const [row] = await this.database.query<TokenRow>(claimRefresh, []);
    return row && { ...installationOf(row), tokens: tokensOf(row) };
  }

  /** Replaces tokens that were refreshed, unless others have replaced them since. */
  async replaceTokens(installation: ConnectedApp, tokens: SealedText): Promise<boolean> {
    const { accountId, appId } = installation;
    const values = [accountId, appId, installation.tokens.sealed, tokens.data_key_id, tokens.sealed];
    return (await this.database.query(replaceTokens, values)).length > 0;
  }

  /** Undefined if it is not active. */
  async remove(
    tx: Queryable,
    accountId: string,
    appId: AppId,
  ): Promise<{ readonly remoteId: string | null; readonly tokens: SealedText | undefined } | undefined> {
    const before = await this.lockConnection(tx, accountId, appId);
    const [row] = await tx.query<{ remote_id: string | null }>(remove, [accountId, appId]);
    return row && { remoteId: row.remote_id, tokens: before?.tokens };
  }
}

interface Row {
  readonly account_id: string;
  readonly app_id: AppId;
  readonly generation: number;
  readonly settings: Settings;
  readonly remote_id: string | null;
  readonly remote: Remote | null;
  readonly vault_id: string | null;
  readonly installed_at: number;
  readonly installed_by_user_id: string | null;
  readonly installed_by_credential_id: string;
}
type TokenRow = Row & SealedText;

function installationOf(row: Row): AppInstallation {
  return {
    accountId: row.account_id,
    appId: row.app_id,
    generation: row.generation,
    settings: row.settings,
    remoteId: row.remote_id,
    remote: row.remote,
    vaultId: row.vault_id,
    installedAt: row.installed_at,
    installedBy: { userId: row.installed_by_user_id, credentialId: row.installed_by_credential_id },
  };
}

function tokensOf({ data_key_id, sealed }: SealedText): SealedText {
  return { data_key_id, sealed };
}

async function rejectTaken<T>(query: Promise<T>): Promise<T> {
  return query.catch((error: unknown) => {
    throw isUniqueViolation(error, 'installations_remote')
      ? new AppError('APP_REMOTE_TAKEN', undefined, { cause: error })
      : error;
  });
}

const COLUMNS = `account_id, app_id, generation, settings, remote_id, remote, vault_id,
                 ${epochSeconds('installed_at')}, installed_by_user_id, installed_by_credential_id`;

/** About a day, not at the same time for all. */
const NEXT_REFRESH = `now() + interval '22 hours' + random() * interval '4 hours'`;

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

const findConnected = statement(
  'integrations.find-connected',
  `SELECT ${COLUMNS}, data_key_id, sealed FROM installations
    WHERE app_id = $1 AND remote_id = $2 AND status = 'active' AND sealed IS NOT NULL`,
);

const findTokens = statement(
  'integrations.find-tokens',
  `SELECT data_key_id, sealed FROM installations WHERE account_id = $1 AND app_id = $2 AND sealed IS NOT NULL`,
);

const lockTokens = statement(
  'integrations.lock-tokens',
  `SELECT remote_id, data_key_id, sealed FROM installations
    WHERE account_id = $1 AND app_id = $2 AND sealed IS NOT NULL FOR UPDATE`,
);

const lockAccount = statement(
  'integrations.lock-account',
  `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`,
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

// Requests of another workspace than the connected one must not reach this account.
const update = statement(
  'integrations.update',
  `UPDATE installations SET settings = ${merged('settings', '$3')}, remote_id = coalesce($4, remote_id)
    WHERE account_id = $1 AND app_id = $2 AND status = 'active' AND (sealed IS NULL OR remote_id = coalesce($4, remote_id))
   RETURNING ${COLUMNS}`,
);

// A renewed connection stays of the same generation, unless it is to another workspace.
const connect = statement(
  'integrations.connect',
  `INSERT INTO installations AS i (account_id, app_id, status, remote_id, remote, vault_id, data_key_id, sealed,
                                   installed_by_user_id, installed_by_credential_id, refresh_at)
   VALUES ($1, $2, 'active', $3, $4, $5, $6, $7, $8, $9, ${NEXT_REFRESH})
   ON CONFLICT (account_id, app_id) DO UPDATE
     SET status = 'active', remote_id = $3, remote = $4, vault_id = $5, data_key_id = $6, sealed = $7, refresh_at = ${NEXT_REFRESH},
         installed_by_user_id = $8, installed_by_credential_id = $9,
         generation = i.generation + (i.status = 'removed' OR i.remote_id IS DISTINCT FROM $3)::int,
         installed_at = CASE WHEN i.status = 'removed' THEN now() ELSE i.installed_at END`,
);

/** Tokens of the chat app do not expire. A refresh that fails is repeated when its lease ends. */
const claimRefresh = statement(
  'integrations.claim-refresh',
  `UPDATE installations SET refresh_at = now() + interval '15 minutes'
    WHERE (account_id, app_id) = (
            SELECT account_id, app_id FROM installations
             WHERE status = 'active' AND sealed IS NOT NULL AND app_id <> 'chatapp' AND refresh_at <= now()
             ORDER BY refresh_at LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING ${COLUMNS}, data_key_id, sealed`,
);

const replaceTokens = statement(
  'integrations.replace-tokens',
  `UPDATE installations SET data_key_id = $4, sealed = $5, refresh_at = ${NEXT_REFRESH}
    WHERE account_id = $1 AND app_id = $2 AND status = 'active' AND sealed = $3 RETURNING 1`,
);

const remove = statement(
  'integrations.remove',
  `UPDATE installations SET status = 'removed', data_key_id = NULL, sealed = NULL
    WHERE account_id = $1 AND app_id = $2 AND status = 'active' RETURNING remote_id`,
);

import { Injectable } from '@nestjs/common';
import type { AppId } from '@vaultsvc/contracts/integrations';
import type { SealedText } from '@vaultsvc/crypto/data-keys';
import { namedStatement, statement, type Queryable } from '@vaultsvc/database';
import {
  InstallationRepository,
  rejectTaken,
  tokensOf,
  type Owner,
  type Remote,
} from '../installations/installation.repository.js';
import { NEXT_REFRESH } from '../tokens/refresh.repository.js';

/** The connection that an OAuth callback makes. */
export interface Connection {
  readonly remoteId: string;
  readonly remote: Remote;
  readonly vaultId: string | null;
  readonly tokens: SealedText;
}

/** Connections: which account a grant of a provider belongs to. */
@Injectable()
export class ConnectionRepository {
  constructor(private readonly installations: InstallationRepository) {}

  /** The connection of an account until the commit, with the workspace that it is about to connect; undefined if there is none. */
  async lock(
    tx: Queryable,
    accountId: string,
    appId: AppId,
    remoteId: string,
  ): Promise<{ readonly remoteId: string; readonly tokens: SealedText } | undefined> {
    await this.installations.lockRemote(tx, appId, remoteId);
    const [row] = await tx.query<SealedText & { remote_id: string }>(lockTokens, [accountId, appId]);
    return row && { remoteId: row.remote_id, tokens: tokensOf(row) };
  }

  /**
   * Takes a workspace from the accounts that claim it without a grant; their installations stay (APP-10).
   * @returns their ids
   */
  async displaceClaims(
    tx: Queryable,
    accountId: string,
    appId: AppId,
    remoteId: string,
  ): Promise<readonly string[]> {
    const rows = await tx.query<{ account_id: string }>(displaceClaims, [accountId, appId, remoteId]);
    return rows.map(({ account_id }) => account_id);
  }

  /** Connects an installation, active or not, and returns its generation. @throws APP_REMOTE_TAKEN */
  async connect(
    tx: Queryable,
    { accountId, installedBy }: Owner,
    appId: AppId,
    { remoteId, remote, vaultId, tokens }: Connection,
  ): Promise<number> {
    const values = connect.valuesOf({
      ...tokens,
      accountId,
      appId,
      remoteId,
      remote: JSON.stringify(remote),
      vaultId,
      userId: installedBy.userId,
      credentialId: installedBy.credentialId,
    });
    const [row] = await rejectTaken(tx.query<{ generation: number }>(connect, values));
    return row?.generation ?? 1;
  }
}

const lockTokens = statement(
  'integrations.lock-tokens',
  `SELECT remote_id, data_key_id, sealed FROM installations
    WHERE account_id = $1 AND app_id = $2 AND sealed IS NOT NULL FOR UPDATE`,
);

const displaceClaims = statement(
  'integrations.displace-claims',
  `UPDATE installations SET remote_id = NULL
    WHERE account_id <> $1 AND app_id = $2 AND remote_id = $3 AND status = 'active' AND sealed IS NULL
   RETURNING account_id`,
);

interface ConnectionInsert extends SealedText, Pick<Connection, 'remoteId' | 'vaultId'> {
  readonly accountId: string;
  readonly appId: AppId;
  /** JSON. */
  readonly remote: string;
  readonly userId: string | null;
  readonly credentialId: string;
}

// A renewed connection stays of the same generation, unless it is to another workspace.
const connect = namedStatement<ConnectionInsert>(
  'integrations.connect',
  (v) => `
   INSERT INTO installations AS i (account_id, app_id, status, remote_id, remote, vault_id, data_key_id, sealed,
                                   installed_by_user_id, installed_by_credential_id, refresh_at, connected_at)
   VALUES (${v.accountId}, ${v.appId}, 'active', ${v.remoteId}, ${v.remote}, ${v.vaultId}, ${v.data_key_id}, ${v.sealed},
           ${v.userId}, ${v.credentialId}, ${NEXT_REFRESH}, now())
   ON CONFLICT (account_id, app_id) DO UPDATE
     SET status = 'active', remote_id = excluded.remote_id, remote = excluded.remote, vault_id = excluded.vault_id,
         data_key_id = excluded.data_key_id, sealed = excluded.sealed, refresh_at = excluded.refresh_at, connected_at = now(), hinted_at = NULL, hint_due_at = NULL, hint_suffices = false,
         refresh_leased_until = '-infinity', is_suspended = false,
         installed_by_user_id = excluded.installed_by_user_id,
         installed_by_credential_id = excluded.installed_by_credential_id,
         generation = i.generation + (i.status = 'removed' OR i.remote_id IS DISTINCT FROM excluded.remote_id)::int,
         installed_at = CASE WHEN i.status = 'removed' THEN now() ELSE i.installed_at END
   RETURNING generation`,
);

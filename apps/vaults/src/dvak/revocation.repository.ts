import { Injectable } from '@nestjs/common';
import { epochSeconds, type Queryable, statement } from '@vaultsvc/database';
import { exclusiveLocks } from '../vault/vault-advisory-lock.js';

export interface RevokedKey {
  readonly id: string;
  readonly vault_id: string;
  readonly revoked_at: number;
}

/** The user whose keys are revoked. */
export interface UserOfAccount {
  readonly account_id: string;
  readonly user_id: string;
}

/**
 * Revokes delegated keys, their sessions and their wraps of the vault key in one commit. An unsealing that locked the
 * key's row commits first, and its session is deleted as well. Seals and deletions end the same rows; all of them
 * acquire the vault's advisory lock first, which prevents deadlocks.
 */
@Injectable()
export class RevocationRepository {
  /** The key with these last letters, if it was active. */
  async revoke(tx: Queryable, vaultId: string, last4: string): Promise<RevokedKey | undefined> {
    const [revoked] = await this.#end(tx, await tx.query<RevokedKey>(revokeOne, [vaultId, last4]));
    return revoked;
  }

  /** The vaults in which a user has active keys. */
  async vaultsOf(on: Queryable, { account_id, user_id }: UserOfAccount): Promise<string[]> {
    const rows = await on.query<{ id: string }>(findVaults, [account_id, user_id]);
    return rows.map(({ id }) => id);
  }

  /** Revokes the keys of a user in one vault. */
  async revokeOfUser(
    tx: Queryable,
    vaultId: string,
    { account_id, user_id }: UserOfAccount,
  ): Promise<readonly RevokedKey[]> {
    return this.#end(tx, await tx.query<RevokedKey>(revokeOfUser, [vaultId, account_id, user_id]));
  }

  async #end(tx: Queryable, revoked: readonly RevokedKey[]): Promise<readonly RevokedKey[]> {
    await tx.query(deleteSessions, [revoked.map(({ id }) => id)]);
    return revoked;
  }
}

const REVOKE = `UPDATE dvaks SET status = 'revoked', revoked_at = now(), wrapped_key = NULL`;
const RETURNING = `RETURNING id, vault_id, ${epochSeconds('revoked_at')}`;

const revokeBy = (condition: string) => `
  ${REVOKE} FROM ${exclusiveLocks('SELECT id FROM vaults WHERE id = $1')}
   WHERE vault_id = $1 AND status = 'active' AND ${condition} ${RETURNING}`;

const revokeOne = statement('vaults.revoke-dvak', revokeBy('last4 = $2'));

const ofUser = (account: string, user: string) =>
  `dvak_type = 'user' AND account_id = ${account} AND authorized_user_id = ${user}`;

const revokeOfUser = statement('vaults.revoke-dvaks-of-user', revokeBy(ofUser('$2', '$3')));

const findVaults = statement(
  'vaults.find-vaults-of-user',
  `SELECT DISTINCT vault_id AS id FROM dvaks WHERE status = 'active' AND ${ofUser('$1', '$2')}`,
);

// A separate statement, whose snapshot includes the session of an unsealing that the previous statement waited for.
const deleteSessions = statement(
  'vaults.delete-sessions-of-dvaks',
  `DELETE FROM vault_sessions WHERE dvak_id = ANY($1::text[]) AND expires_at > now()`,
);

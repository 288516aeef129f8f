import { Injectable } from '@nestjs/common';
import { statement, type Queryable } from '@vaultsvc/database';

export interface RevokedKey {
  [column: string]: unknown;
  readonly id: string;
  readonly vault_id: string;
  readonly revoked_at: number;
}

/**
 * Ends delegated keys with the sessions that they opened: in one commit, and with the wrap of the vault key gone from
 * the row. An unsealing that holds the key's row commits first, and its session is then among those that go.
 */
@Injectable()
export class RevocationRepository {
  /** The key of the vault that ends so, if it was in force. */
  async revoke(tx: Queryable, vaultId: string, last4: string): Promise<RevokedKey | undefined> {
    const [revoked] = await this.#end(tx, await tx.query<RevokedKey>(revokeOne, [vaultId, last4]));
    return revoked;
  }

  /** The keys of a user, in all vaults of the account. */
  async revokeOfUser(tx: Queryable, accountId: string, userId: string): Promise<readonly RevokedKey[]> {
    return this.#end(tx, await tx.query<RevokedKey>(revokeOfUser, [accountId, userId]));
  }

  async #end(tx: Queryable, revoked: readonly RevokedKey[]): Promise<readonly RevokedKey[]> {
    await tx.query(deleteSessions, [revoked.map(({ id }) => id)]);
    return revoked;
  }
}

const REVOKE = `UPDATE dvaks SET status = 'revoked', revoked_at = now(), wrapped_key = NULL WHERE status = 'active'`;
const RETURNING = `RETURNING id, vault_id, floor(extract(epoch FROM revoked_at))::bigint AS revoked_at`;

const revokeOne = statement('vaults.revoke-dvak', `${REVOKE} AND vault_id = $1 AND last4 = $2 ${RETURNING}`);

const revokeOfUser = statement(
  'vaults.revoke-dvaks-of-user',
  `${REVOKE} AND dvak_type = 'user' AND account_id = $1 AND authorized_user_id = $2 ${RETURNING}`,
);

// A statement of its own: it sees the session of an unsealing that the one before has waited for.
const deleteSessions = statement(
  'vaults.delete-sessions-of-dvaks',
  `DELETE FROM vault_sessions WHERE dvak_id = ANY($1::text[]) AND expires_at > now()`,
);

import { Injectable } from '@nestjs/common';
import { statement, type Queryable } from '@vaultsvc/database';
import { turns } from '../turn.js';

export interface RevokedKey {
  [column: string]: unknown;
  readonly id: string;
  readonly vault_id: string;
  readonly revoked_at: number;
}

/** Whose keys go. */
export interface UserOfAccount {
  readonly account_id: string;
  readonly user_id: string;
}

/**
 * Ends delegated keys with the sessions that they opened: in one commit, and with the wrap of the vault key gone from
 * the row. An unsealing that holds the key's row commits first, and its session is then among those that go. A seal or a
 * deletion ends the same rows: each takes its turn at the vault first, or two of them would wait in a circle.
 */
@Injectable()
export class RevocationRepository {
  /** The key of the vault that ends so, if it was in force. */
  async revoke(tx: Queryable, vaultId: string, last4: string): Promise<RevokedKey | undefined> {
    const [revoked] = await this.#end(tx, await tx.query<RevokedKey>(revokeOne, [vaultId, last4]));
    return revoked;
  }

  /** Waits for its turn at the vaults of all keys of these users, before the first of them is revoked. */
  async takeTurns(tx: Queryable, users: readonly UserOfAccount[]): Promise<void> {
    const accountIds = users.map(({ account_id }) => account_id);
    await tx.query(takeTurns, [accountIds, users.map(({ user_id }) => user_id)]);
  }

  /** The keys of a user, in all vaults of the account. */
  async revokeOfUser(tx: Queryable, { account_id, user_id }: UserOfAccount): Promise<readonly RevokedKey[]> {
    return this.#end(tx, await tx.query<RevokedKey>(revokeOfUser, [account_id, user_id]));
  }

  async #end(tx: Queryable, revoked: readonly RevokedKey[]): Promise<readonly RevokedKey[]> {
    await tx.query(deleteSessions, [revoked.map(({ id }) => id)]);
    return revoked;
  }
}

const REVOKE = `UPDATE dvaks SET status = 'revoked', revoked_at = now(), wrapped_key = NULL`;
const RETURNING = `RETURNING id, vault_id, floor(extract(epoch FROM revoked_at))::bigint AS revoked_at`;

const revokeOne = statement(
  'vaults.revoke-dvak',
  `${REVOKE} FROM ${turns('SELECT id FROM vaults WHERE id = $1')}
    WHERE status = 'active' AND vault_id = $1 AND last4 = $2 ${RETURNING}`,
);

const OF_USERS = `status = 'active' AND dvak_type = 'user'`;

const takeTurns = statement(
  'vaults.take-turns-of-users',
  `SELECT FROM ${turns(`
    SELECT DISTINCT vault_id FROM dvaks
     WHERE ${OF_USERS} AND (account_id, authorized_user_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`)}`,
);

const revokeOfUser = statement(
  'vaults.revoke-dvaks-of-user',
  `${REVOKE} WHERE ${OF_USERS} AND account_id = $1 AND authorized_user_id = $2 ${RETURNING}`,
);

// A statement of its own: it sees the session of an unsealing that the one before has waited for.
const deleteSessions = statement(
  'vaults.delete-sessions-of-dvaks',
  `DELETE FROM vault_sessions WHERE dvak_id = ANY($1::text[]) AND expires_at > now()`,
);

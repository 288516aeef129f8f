import { AppError } from '@vaultsvc/contracts';
import { statement, type Queryable } from '@vaultsvc/database';
import type { VaultIdentity } from '../keys/vault-key.js';

/**
 * Advisory locks of vaults. A statement that locks the row of a vault acquires one first.
 *
 * Row locks alone starve exclusive lockers: PostgreSQL grants FOR SHARE past transactions that wait for an exclusive row
 * lock. While tokens are in constant use, a seal or a revocation would wait until its timeout. Advisory locks are granted
 * in the order of requests. They end with the transaction; the row lock still decides.
 *
 * Only statements that find the vault in the caller's account acquire its lock: an account that merely has the id of
 * another account's vault cannot block it.
 */

// Claims of structured ingots use the seed 0.
const lockOf = (id: string) => `hashtextextended(${id}, 1)`;

/** For FROM, next to `vaults`: a shared lock of each row that is found. */
const SHARED_LOCK = `LATERAL (SELECT pg_advisory_xact_lock_shared(${lockOf('vaults.id')})::text OFFSET 0) AS shared_lock`;

/** For FROM: exclusive locks in the order of ids, which prevents deadlocks. `ids` is a query of ids of vaults. */
export const exclusiveLocks = (ids: string) => `
  (SELECT count(pg_advisory_xact_lock(${lockOf('id')})) FROM (${ids} ORDER BY 1) AS locked (id)) AS exclusive_lock`;

/** For FROM: the exclusive lock of the vault $1 of the account $2, to change the vault or to end its tokens. */
export const EXCLUSIVE_LOCK = exclusiveLocks('SELECT id FROM vaults WHERE id = $1 AND account_id = $2');

/** Locks a vault against deletion and changes until the commit, shared with others. Throws VAULT_NOT_FOUND. */
export async function lockShared(tx: Queryable, { vaultId, accountId }: VaultIdentity): Promise<void> {
  if ((await tx.query(lockVault, [vaultId, accountId])).length === 0) throw new AppError('VAULT_NOT_FOUND');
}

const lockVault = statement(
  'vaults.lock-vault',
  `SELECT id FROM vaults, ${SHARED_LOCK}
    WHERE id = $1 AND account_id = $2 AND status = 'active' FOR SHARE OF vaults`,
);

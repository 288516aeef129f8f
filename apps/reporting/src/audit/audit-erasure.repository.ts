import { Injectable } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { vaultDeleted } from '@vaultsvc/contracts/vaults';
import { Database, statement, type Transaction } from '@vaultsvc/database';
import type { AuditRecord } from './audit-rules.js';

/** Entries erased by one transaction: a short one, because it blocks later entries of the vault. */
const CHUNK = 1_000;

interface VaultOfAccount {
  readonly account_id: string;
  readonly vault_id: string;
}

/** Erases the entries of deleted vaults (AUD-13). The chain still verifies: hashes, types and times stay. */
@Injectable()
export class AuditErasureRepository {
  constructor(private readonly database: Database) {}

  /** Orders the erasure of deleted vaults, and again where an entry of a deleted vault came late. */
  async order(
    tx: Transaction,
    deliveries: readonly Delivery[],
    records: readonly AuditRecord[],
  ): Promise<void> {
    const touched = records.flatMap(({ accountId, vaultId }) => (vaultId ? [{ accountId, vaultId }] : []));
    if (touched.length === 0) return;
    const deleted = deliveries
      .filter(({ name }) => name === vaultDeleted.name)
      .map(({ payload }) => payload as VaultOfAccount);
    await tx.query(orderErasures, [
      touched.map(({ accountId }) => accountId),
      touched.map(({ vaultId }) => vaultId),
      deleted.map(({ account_id }) => account_id),
      deleted.map(({ vault_id }) => vault_id),
    ]);
  }

  /** Erases up to a thousand entries of one deleted vault. False when no vault waits. */
  eraseSome(): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const [vault] = await tx.query<VaultOfAccount>(lockDue);
      if (!vault) return false;
      const ids = [vault.account_id, vault.vault_id];
      const [{ erased } = { erased: 0 }] = await tx.query<{ erased: number }>(eraseEntries, [...ids, CHUNK]);
      if (erased < CHUNK) await tx.query(finishErasure, ids);
      return true;
    });
  }
}

/** The update locks the row, so that an erasure that runs waits for this transaction, or this one for it. */
const orderErasures = statement(
  'audit.order-erasures',
  `WITH late AS (
     UPDATE audit_erasures e SET erased_at = NULL FROM unnest($1::text[], $2::text[]) AS touched (account_id, vault_id)
      WHERE e.account_id = touched.account_id AND e.vault_id = touched.vault_id)
   INSERT INTO audit_erasures (account_id, vault_id)
   SELECT account_id, vault_id FROM unnest($3::text[], $4::text[]) AS deleted (account_id, vault_id)
   ON CONFLICT (account_id, vault_id) DO NOTHING`,
);

const lockDue = statement(
  'audit.lock-due-erasure',
  `SELECT account_id, vault_id FROM audit_erasures WHERE erased_at IS NULL
    ORDER BY deleted_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
);

const eraseEntries = statement('audit.erase-entries', `SELECT erase_audit_entries($1, $2, $3) AS erased`);

const finishErasure = statement(
  'audit.finish-erasure',
  `WITH codes AS (DELETE FROM audit_link_codes WHERE account_id = $1 AND vault_id = $2)
   UPDATE audit_erasures SET erased_at = clock_timestamp() WHERE account_id = $1 AND vault_id = $2`,
);

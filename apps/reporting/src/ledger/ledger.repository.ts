import { Injectable } from '@nestjs/common';
import { newId } from '@vaultsvc/crypto/encoding';
import { statement, type Queryable } from '@vaultsvc/database';
import type { Entry } from './entry.js';

/** The usage ledger. It is only ever appended to. */
@Injectable()
export class LedgerRepository {
  /** Appends all entries in one statement. */
  async append(tx: Queryable, entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    const rows = entries.map((entry) => ({ ...entry, transactionId: newId('txn_') }));
    await tx.query(appendEntries, [JSON.stringify(rows)]);
  }
}

/** One JSON text rather than an array for each column: that is cheaper to write and as cheap to read. */
const appendEntries = statement(
  'ledger.append',
  `INSERT INTO ledger (transaction_id, account_id, type, resource, quantity, unit, reference_id, vault_id,
                       actor_type, event_id, created_at)
   SELECT "transactionId", "accountId", type, resource, quantity,
          CASE resource WHEN 'operation' THEN 'count' ELSE 'bytes' END, "referenceId", "vaultId",
          "actorType", "eventId", to_timestamp("occurredAtMs" / 1000.0)
     FROM json_to_recordset($1) AS entry (
       "transactionId" text, "accountId" text, type text, resource text, quantity bigint, "referenceId" text,
       "vaultId" text, "actorType" text, "eventId" uuid, "occurredAtMs" bigint)`,
);

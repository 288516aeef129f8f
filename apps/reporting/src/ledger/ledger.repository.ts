import { Injectable } from '@nestjs/common';
import { newId } from '@vaultsvc/crypto/encoding';
import { statement, type Queryable } from '@vaultsvc/database';

export type Resource = 'storage' | 'bandwidth' | 'operation';

/**
 * One line of the usage ledger (OPEN-29). The sum of an account's storage lines is its current storage, so a release of
 * storage has a negative quantity.
 */
export interface Entry {
  readonly accountId: string;
  /** For example `spark_create`. */
  readonly type: string;
  readonly resource: Resource;
  /** Bytes of storage or bandwidth; a number of operations otherwise. */
  readonly quantity: number;
  /** The id of the Spark, ingot or entropy call. */
  readonly referenceId: string | null;
  readonly vaultId: string | null;
  /** `user`, `api_key` or `link`; `system` without an actor. */
  readonly actorType: string;
  readonly eventId: string;
  readonly occurredAtMs: number;
}

/** The usage ledger, an append-only table. */
@Injectable()
export class LedgerRepository {
  async append(tx: Queryable, entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    const rows = entries.map((entry) => ({ ...entry, transactionId: newId('txn_') }));
    await tx.query(appendEntries, [JSON.stringify(rows)]);
  }
}

/** One JSON parameter instead of an array per column is cheaper to send and as cheap to parse. */
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

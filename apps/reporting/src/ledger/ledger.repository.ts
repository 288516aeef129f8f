import { Injectable } from '@nestjs/common';
import { statement, type Queryable } from '@vaultsvc/database';

/**
 * The use of an account's storage and bandwidth by one event (OPEN-29). The sum of the storage of an account's entries is its current storage, so a
 * release of storage is negative.
 */
export interface Entry {
  readonly accountId: string;
  /** For example `spark_create`. */
  readonly type: string;
  /** null where the event uses none. */
  readonly storageBytes: number | null;
  readonly bandwidthBytes: number | null;
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
    await tx.query(appendEntries, [JSON.stringify(entries)]);
  }
}

/** One JSON parameter instead of an array per column is cheaper to send and as cheap to parse. */
const appendEntries = statement(
  'ledger.append',
  `INSERT INTO ledger (account_id, type, storage_bytes, bandwidth_bytes, reference_id, vault_id, actor_type, event_id, created_at)
   SELECT "accountId", type, "storageBytes", "bandwidthBytes", "referenceId", "vaultId", "actorType", "eventId",
          to_timestamp("occurredAtMs" / 1000.0)
     FROM json_to_recordset($1) AS entry (
       "accountId" text, type text, "storageBytes" bigint, "bandwidthBytes" bigint, "referenceId" text, "vaultId" text,
       "actorType" text, "eventId" uuid, "occurredAtMs" bigint)`,
);

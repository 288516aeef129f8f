import { Injectable } from '@nestjs/common';
import { statement, type Queryable } from '@vaultsvc/database';

/**
 * The use of an account by one event (OPEN-29). Account, source and event identify the entry. The sum of the storage of an
 * account's entries is its current storage, so a release of storage is negative.
 */
export interface Entry {
  readonly accountId: string;
  /** The service that published the event. */
  readonly source: string;
  readonly eventId: string;
  /** For example `spark_create`. */
  readonly type: string;
  /** null where the event uses none. An entry without bytes is one line of the resource `operation`. */
  readonly storageBytes: number | null;
  readonly bandwidthBytes: number | null;
  /** The id of the Spark, ingot, vault or other resource, or of the entropy call. */
  readonly referenceId: string | null;
  readonly vaultId: string | null;
  /** `user`, `api_key` or `link`; `system` without an actor. */
  readonly actorType: string;
  readonly occurredAtMs: number;
  /** Whether a call of the account, or a visitor of its link, caused the entry. Analytics count these; not stored. */
  readonly isOperation: boolean;
}

/** The usage ledger. */
@Injectable()
export class LedgerRepository {
  async append(tx: Queryable, entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    await tx.query(appendEntries, [JSON.stringify(entries)]);
  }

  /** The ids of those events that are recorded as processed, and of which the ledger has another entry or none. */
  async findAltered(tx: Queryable, entries: readonly Entry[]): Promise<string[]> {
    if (entries.length === 0) return [];
    const rows = await tx.query<{ id: string }>(findAltered, [JSON.stringify(entries)]);
    return rows.map(({ id }) => id);
  }
}

/** One JSON parameter instead of an array per column is cheaper to send and as cheap to parse. */
const ENTRIES = `json_to_recordset($1) AS entry (
       "accountId" text, source text, "eventId" uuid, type text, "storageBytes" bigint, "bandwidthBytes" bigint,
       "referenceId" text, "vaultId" text, "actorType" text, "occurredAtMs" bigint)`;

const appendEntries = statement(
  'ledger.append',
  `INSERT INTO ledger (account_id, source, event_id, type, storage_bytes, bandwidth_bytes, reference_id, vault_id, actor_type,
                       created_at)
   SELECT "accountId", source, "eventId", type, "storageBytes", "bandwidthBytes", "referenceId", "vaultId", "actorType",
          to_timestamp("occurredAtMs" / 1000.0)
     FROM ${ENTRIES}`,
);

/** An instance of the previous release names no source, and the installer as the actor of an integration. */
export const findAltered = statement(
  'ledger.find-altered',
  `SELECT DISTINCT "eventId" AS id
     FROM ${ENTRIES}
     JOIN processed ON event_id = "eventId"
     LEFT JOIN LATERAL (SELECT * FROM ledger UNION ALL SELECT * FROM ledger_aggregated) l
            ON l.account_id = "accountId" AND l.event_id = "eventId" AND l.source IN (entry.source, '')
    WHERE (entry.type, "storageBytes", "bandwidthBytes", "referenceId", "vaultId",
           CASE WHEN "actorType" = 'app' AND l.actor_type IN ('user', 'api_key') THEN l.actor_type ELSE "actorType" END,
           to_timestamp("occurredAtMs" / 1000.0))
          IS DISTINCT FROM
          (l.type, l.storage_bytes, l.bandwidth_bytes, l.reference_id, l.vault_id, l.actor_type, l.created_at)`,
);

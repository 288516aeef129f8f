import { Injectable } from '@nestjs/common';
import { statement, type Queryable } from '@vaultsvc/database';
import { exclusiveLocks } from './vault-advisory-lock.js';

/** Bytes that an upload or a download of an ingot has transferred. */
export interface Traffic {
  readonly vaultId: string;
  readonly ingotId: string;
  readonly bytes: number;
  readonly downloads: number;
}

/**
 * Counters of vaults and ingots (VLT-25). Every change of a counter locks the rows of the vaults first, in the order of
 * ids; changes of ingots lock the same rows, which prevents deadlocks. Counters leave `updated_at` unchanged.
 */
@Injectable()
export class VaultCounters {
  /** Locks these vaults until the commit and returns the ids of those that are not being deleted. */
  async lock(tx: Queryable, vaultIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await tx.query<{ id: string }>(lockVaults, [vaultIds]);
    return new Set(rows.map(({ id }) => id));
  }

  /** For a locked vault: adds to the number of ingots with content, and to the bytes of their contents. */
  async addContent(tx: Queryable, vaultId: string, ingots: number, bytes: number): Promise<void> {
    await tx.query(addContent, [vaultId, ingots, bytes]);
  }

  /** For locked vaults. Traffic of deleted ingots still counts for their vault. */
  async addTraffic(tx: Queryable, traffic: readonly Traffic[]): Promise<void> {
    const columns = (['vaultId', 'ingotId', 'bytes', 'downloads'] as const).map((name) =>
      traffic.map((moved) => moved[name]),
    );
    await tx.query(addTraffic, columns);
  }
}

const lockVaults = statement(
  'vaults.lock-counters',
  `SELECT id FROM ${exclusiveLocks('SELECT id FROM vaults WHERE id = ANY($1::text[])')}, vaults
    WHERE id = ANY($1::text[]) AND status = 'active' ORDER BY id FOR NO KEY UPDATE OF vaults`,
);

const addContent = statement(
  'vaults.add-content',
  `UPDATE vaults SET ingot_count = ingot_count + $2, storage_bytes = storage_bytes + $3 WHERE id = $1`,
);

const addTraffic = statement(
  'vaults.add-traffic',
  `WITH moved AS (
     SELECT vault_id, ingot_id, sum(bytes) AS bytes, sum(downloads) AS downloads
       FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) AS m (vault_id, ingot_id, bytes, downloads)
      GROUP BY vault_id, ingot_id),
   of_ingots AS (
     UPDATE ingots i
        SET access_count = i.access_count + m.downloads,
            total_bandwidth_bytes = i.total_bandwidth_bytes + m.bytes
       FROM moved m WHERE i.id = m.ingot_id AND i.vault_id = m.vault_id)
   UPDATE vaults v
      SET total_access_count = v.total_access_count + m.downloads,
          total_bandwidth_bytes = v.total_bandwidth_bytes + m.bytes
     FROM (SELECT vault_id, sum(bytes) AS bytes, sum(downloads) AS downloads FROM moved GROUP BY vault_id) m
    WHERE v.id = m.vault_id`,
);

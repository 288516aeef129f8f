import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { Database, epochSeconds, statement } from '@vaultsvc/database';
import { VaultsConfig } from '../config.js';
import type { VaultIdentity } from '../keys/vault-key.js';

/** A vault with its counters, and counts of its ingots. */
export interface VaultStatisticsRow {
  readonly name: string;
  readonly status: 'sealed' | 'unsealed';
  readonly created_at: number;
  readonly ingot_count: number;
  readonly storage_bytes: number;
  readonly last_unsealed_at: number | null;
  readonly unseal_count: number;
  readonly large: number;
  readonly small: number;
  /** Ingots that were created in the period, and the bytes of their contents. */
  readonly created: number;
  readonly created_bytes: number;
}

/** Statistics of vaults, counted at the time of the call: in one pass over the ingots of the vault. */
@Injectable()
export class VaultStatisticsRepository {
  constructor(
    private readonly database: Database,
    private readonly config: VaultsConfig,
  ) {}

  /** `days`: the period until now; null since the vault exists. Throws VAULT_NOT_FOUND. */
  async read({ vaultId, accountId }: VaultIdentity, days: number | null): Promise<VaultStatisticsRow> {
    const { LARGE_INGOT_BYTES, SMALL_INGOT_BYTES } = this.config;
    const values = [vaultId, accountId, LARGE_INGOT_BYTES, SMALL_INGOT_BYTES, days];
    const [row] = await this.database.query<VaultStatisticsRow>(readStatistics, values);
    if (!row) throw new AppError('VAULT_NOT_FOUND');
    return row;
  }
}

/** An ingot is active while it has content. Days of 86,400 seconds, whatever the time zone of the session. */
export const readStatistics = statement(
  'vaults.read-statistics',
  `SELECT name, ${epochSeconds('v.created_at')}, ingot_count, storage_bytes, ${epochSeconds('last_unsealed_at')}, unseal_count,
          CASE WHEN EXISTS (SELECT 1 FROM vault_sessions s WHERE s.vault_id = v.id AND s.seal_epoch = v.seal_epoch AND s.expires_at > now())
               THEN 'unsealed' ELSE 'sealed' END AS status,
          ingots.*
     FROM vaults v, LATERAL (
       SELECT count(*) FILTER (WHERE is_active AND size_bytes >= $3::bigint) AS large,
              count(*) FILTER (WHERE is_active AND size_bytes < $4::bigint) AS small,
              count(*) FILTER (WHERE is_new) AS created,
              coalesce(sum(size_bytes) FILTER (WHERE is_active AND is_new), 0)::bigint AS created_bytes
         FROM (SELECT size_bytes, status = 'active' AS is_active,
                      $5::int IS NULL OR created_at >= now() - make_interval(secs => $5::int * 86400) AS is_new
                 FROM ingots WHERE vault_id = v.id) of_vault) ingots
    WHERE v.id = $1 AND v.account_id = $2 AND v.status = 'active'`,
);

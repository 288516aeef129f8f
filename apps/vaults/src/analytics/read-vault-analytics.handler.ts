import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { readVaultAnalytics, type VaultAnalytics } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { VaultStatisticsRepository } from './vault-statistics.repository.js';

const GIBIBYTE = 1_024 ** 3;
const DEFAULT_PERIOD = 'month';
const periodDays = new Map([
  ['day', 1],
  ['week', 7],
  ['month', 30],
]);

@Controller()
export class ReadVaultAnalytics {
  constructor(private readonly statistics: VaultStatisticsRepository) {}

  /** A period that is not one of the three widens to the whole history (RPT-23). */
  @Handles(readVaultAnalytics)
  async handle(
    { params, query }: Input<typeof readVaultAnalytics>,
    { credential }: AccountContext,
  ): Promise<VaultAnalytics> {
    const { period = DEFAULT_PERIOD } = query;
    const { vault_id } = params;
    const vault = { vaultId: vault_id, accountId: credential.accountId };
    const row = await this.statistics.read(vault, periodDays.get(period) ?? null);
    const { ingot_count, storage_bytes } = row;
    return {
      vault: { vault_id, name: row.name, status: row.status, created_at: row.created_at },
      statistics: {
        total_ingots: ingot_count,
        ingots_created_this_period: row.created,
        total_storage_bytes: storage_bytes,
        total_storage_gb: (storage_bytes / GIBIBYTE).toFixed(2),
        average_ingot_size_bytes: ingot_count === 0 ? 0 : Math.round(storage_bytes / ingot_count),
        large_ingots_count: row.large,
        small_ingots_count: row.small,
        last_unsealed_at: row.last_unsealed_at,
        unseal_count: row.unseal_count,
      },
      activity: { period, ingots_created: row.created, storage_added_bytes: row.created_bytes },
    };
  }
}

import { ANALYTICS_TEXT_MAX, AnalyticsText } from '../core/analytics-query.js';
import { Example } from '../core/example.js';
import { EpochSeconds, IdOf, Int, Name, Nested, OneOf, Pattern, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { VAULT_NAME_MAX, VaultParams } from './vault.js';

/** Query of `readVaultAnalytics`. */
export class VaultAnalyticsQuery {
  @AnalyticsText('day, week or month (30 days, the default); any other value means since the vault exists.')
  period?: string;
}

/** The vault of the statistics. */
@Example({ name: 'Contracts', status: 'unsealed' })
export class AnalyzedVault {
  @IdOf('vlt') vault_id: string;
  @Name({ max: VAULT_NAME_MAX }) name: string;
  @OneOf(['sealed', 'unsealed']) status: 'sealed' | 'unsealed';
  @EpochSeconds() created_at: number;
}

/** Counts of the ingots that the vault has now. Sizes, total and classes are those of ingots with content. */
@Example({
  total_ingots: 12,
  ingots_created_this_period: 3,
  total_storage_bytes: 48_211_004,
  average_ingot_size_bytes: 4_017_584,
  large_ingots_count: 0,
  small_ingots_count: 4,
})
export class VaultStatistics {
  @Int({ min: 0 }) total_ingots: number;
  @Int({ min: 0 }) ingots_created_this_period: number;
  @Int({ min: 0 }) total_storage_bytes: number;
  // Text only here, other than in the overview (RPT-26).
  @Pattern(/^\d+\.\d{2}$/, {
    says: 'a number with two decimals',
    description: 'A text; a GB has 1024^3 bytes.',
  })
  total_storage_gb: string;
  @Int({ min: 0, description: 'Rounded; 0 without ingots.' }) average_ingot_size_bytes: number;
  @Int({ min: 0, description: 'Ingots of 100 MiB or more, unless configured otherwise.' })
  large_ingots_count: number;
  @Int({ min: 0, description: 'Ingots below 1 MiB, unless configured otherwise.' })
  small_ingots_count: number;
  @EpochSeconds({ nullable: true, description: 'null until the vault is first unsealed.' })
  last_unsealed_at: number | null;
  @Int({ min: 0 }) unseal_count: number;
}

/** What the period added to the vault and is still there. */
@Example({ period: 'month', ingots_created: 3, storage_added_bytes: 4_448_709 })
export class VaultGrowth {
  @Text({ max: ANALYTICS_TEXT_MAX, raw: true, description: 'The period as requested; month without one.' })
  period: string;
  @Int({ min: 0 }) ingots_created: number;
  @Int({ min: 0, description: 'Bytes of those ingots.' }) storage_added_bytes: number;
}

/** The statistics of a vault. */
export class VaultAnalytics {
  @Nested(() => AnalyzedVault) vault: AnalyzedVault;
  @Nested(() => VaultStatistics) statistics: VaultStatistics;
  @Nested(() => VaultGrowth) activity: VaultGrowth;
}

/** Reads the statistics of a vault as they are now; it may be sealed (RPT-23 to RPT-27). */
export const readVaultAnalytics = operation({
  name: 'vaults.read-vault-analytics',
  summary: 'Reads the statistics of a vault: its ingots, their sizes and its unsealings.',
  http: { method: 'GET', path: '/v1/analytics/vaults/{vault_id}', status: 200 },
  access: { credential: 'key' },
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  query: VaultAnalyticsQuery,
  reply: VaultAnalytics,
  errors: ['VAULT_NOT_FOUND'],
  repeatable: true,
});

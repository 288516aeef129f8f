import { EpochSeconds, IdOf, Int, Name, OneOf, Text } from '../core/fields.js';

export const VAULT_NAME_MAX = 200;
export const VAULT_DESCRIPTION_MAX = 1_000;

/** `sealed` and `unsealed` are derived; `active` and `deleting` are stored (VLT-08, OPEN-12). */
export const vaultStatuses = ['active', 'deleting', 'sealed', 'unsealed'] as const;
export type VaultStatus = (typeof vaultStatuses)[number];

export class VaultParams {
  @IdOf('vlt') vault_id: string;
}

/** What a vault and the token for it may be refused for, where one is read; and where one is written to (OPEN-61). */
export const readErrors = ['VAULT_NOT_FOUND', 'VAT_EXPIRED', 'VAT_OUT_OF_SCOPE'] as const;
export const writeErrors = [...readErrors, 'VAT_READ_ONLY'] as const;

/** A vault as lists show it. */
export class VaultSummary {
  @IdOf('vlt') vault_id: string;
  @Name({ max: VAULT_NAME_MAX }) name: string;
  @OneOf(['sealed', 'deleting'], { description: 'In lists a vault that is in use shows as sealed too.' })
  status: 'sealed' | 'deleting';
  @Int({ min: 0 }) ingot_count: number;
  @Int({ min: 0 }) storage_bytes: number;
  @Int({ min: 0 }) total_access_count: number;
  @Int({ min: 0 }) total_bandwidth_bytes: number;
  @EpochSeconds() created_at: number;
}

export const descriptionField = { max: VAULT_DESCRIPTION_MAX, nullable: true } as const;

/** What every answer about a key that is shown once says. */
export const WarningText = () => Text({ max: 300 });

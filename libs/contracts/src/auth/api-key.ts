import { EpochSeconds, IdOf, Name, OneOf, Text } from '../core/fields.js';

/** `expired` and `revoked` keys stay in the list and authenticate nobody (KEY-13, KEY-15). */
export const apiKeyStatuses = ['active', 'expired', 'revoked'] as const;
export type ApiKeyStatus = (typeof apiKeyStatuses)[number];

export class ApiKeyParams {
  @IdOf('key') api_key_id: string;
}

/** An API key as it may be shown at any time: without the key itself. */
export class ApiKey {
  @IdOf('key') api_key_id: string;
  @Name({ max: 100 }) name: string;
  @Text({ max: 20, description: 'The last four characters of the key, masked.' }) key_preview: string;
  @OneOf(apiKeyStatuses) status: ApiKeyStatus;
  @EpochSeconds() created_at: number;
  @EpochSeconds({ nullable: true, description: 'null until the first use.' }) last_used_at: number | null;
  @EpochSeconds({ nullable: true, description: 'null: never.' }) expires_at: number | null;
  @EpochSeconds({ nullable: true }) revoked_at: number | null;
}

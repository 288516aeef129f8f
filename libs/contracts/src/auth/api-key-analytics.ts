import { exampleTime } from '../core/example-values.js';
import { Example } from '../core/example.js';
import { EpochSeconds, Flag, IdOf, Int, Name, Nested, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { ApiKeyParams, apiKeyStatuses, type ApiKeyStatus } from './api-key.js';

/** The API key of the statistics. */
@Example({ name: 'Backup job' })
export class AnalyzedApiKey {
  @IdOf('key') api_key_id: string;
  @Name({ max: 100 }) name: string;
  @Text({ max: 20, description: 'The last four characters of the key, masked.' }) key_preview: string;
  @OneOf(apiKeyStatuses) status: ApiKeyStatus;
  @EpochSeconds() created_at: number;
}

/** The use of an API key. Days are whole periods of 24 hours. */
@Example({ last_used_at: exampleTime(12 * 86_400), days_since_last_used: 2, days_since_creation: 14 })
export class ApiKeyUsage {
  @EpochSeconds({ nullable: true, description: 'null until the first use.' }) last_used_at: number | null;
  @Int({ min: 0, nullable: true, description: 'null until the first use.' }) days_since_last_used:
    | number
    | null;
  @Int({ min: 0 }) days_since_creation: number;
  @Flag({ description: 'Whether the key was used in the last 30 days.' }) is_active: boolean;
}

/** The statistics of an API key. */
@Example({ note: 'Metrics of single requests are not included.' })
export class ApiKeyAnalytics {
  @Nested(() => AnalyzedApiKey) api_key: AnalyzedApiKey;
  @Nested(() => ApiKeyUsage) usage: ApiKeyUsage;
  @Text({ max: 200 }) note: string;
}

/** Reads when an API key was used (RPT-28 to RPT-30). */
export const readApiKeyAnalytics = operation({
  name: 'auth.read-api-key-analytics',
  summary: 'Reads when an API key was last used.',
  http: { method: 'GET', path: '/v1/analytics/api-keys/{api_key_id}', status: 200 },
  access: { credential: 'key' },
  params: ApiKeyParams,
  unknown: 'API_KEY_NOT_FOUND',
  reply: ApiKeyAnalytics,
  errors: ['API_KEY_NOT_FOUND'],
  repeatable: true,
});

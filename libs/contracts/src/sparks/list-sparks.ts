import { Cursor, EpochSeconds, Flag, IdOf, Int, ListOf, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

export class SparkListQuery {
  /** `expired` is shown but cannot be asked for (AMB-07). */
  @OneOf(['active', 'ash'], { optional: true, description: 'Only Sparks of this status.' })
  status?: 'active' | 'ash';

  @IdOf('kdl', { optional: true, description: 'The Sparks of this group, whoever owns them.' })
  kindling?: string;

  @Int({ min: 1, max: 500, optional: true }) limit = 100;
  @Cursor() cursor?: string;
}

export type SparkStatus = 'active' | 'reading' | 'ash' | 'expired';

/** A Spark without its content (SPK-19). */
export class SparkSummary {
  @IdOf('spk') spark_id: string;
  @IdOf('acc', { description: 'The owner.' }) account_id: string;
  @Text({ max: 255 }) content_type: string;
  @Text({ max: 255, optional: true }) filename?: string;
  @OneOf(['active', 'reading', 'ash', 'expired']) status: SparkStatus;
  @Int({ min: 0 }) size_bytes: number;
  @Int({ min: 1 }) ttl_minutes: number;
  @EpochSeconds() created_at: number;
  @EpochSeconds() expires_at: number;
  @EpochSeconds({ nullable: true }) burned_at: number | null;
  @Int({ min: 0, description: 'Seconds until expires_at, 0 after it.' }) time_remaining: number;
  @IdOf('kdl', { optional: true }) kindling?: string;
  @Text({ max: 2_048, optional: true, description: 'Link Sparks only.' }) link_url?: string;
  @Text({ max: 64, optional: true, description: 'Link Sparks only.' }) link_code?: string;
}

export class SparkList {
  @ListOf(() => SparkSummary) sparks: SparkSummary[];
  @Int({ min: 0 }) count: number;
  @Flag() has_more: boolean;
  @Text({ max: 2_048, optional: true }) next_cursor?: string;
}

/**
 * Newest first. Burned Sparks stay until they would have expired, expired ones for another 24 hours (AMB-07).
 * With `kindling` the list is of the group, across accounts (SPK-21).
 */
export const listSparks = operation({
  name: 'sparks.list',
  summary: 'Lists Sparks without their content, newest first.',
  http: { method: 'GET', path: '/v1/sparks', status: 200 },
  access: { credential: 'key' },
  query: SparkListQuery,
  reply: SparkList,
  cursor: 'next_cursor',
  repeatable: true,
});

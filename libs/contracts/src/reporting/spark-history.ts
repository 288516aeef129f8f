import { ActorSummary } from '../core/actor.js';
import { Example } from '../core/example.js';
import { Cursor, EpochSeconds, Flag, IdOf, Int, ListOf, Nested, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { LabelField } from '../sparks/spark.js';

const LIMIT_MAX = 100;

/** Most openings of one item; the audit log has the others. */
export const OPENINGS_MAX = 20;

/** Days after the creation of a Spark, for which its label stays in the history. */
export const LABEL_DAYS = 90;

/** Query of `listSparkHistory`. */
export class SparkHistoryQuery {
  @Int({ min: 1, max: LIMIT_MAX, optional: true }) limit = 25;
  @Cursor() cursor?: string;

  @EpochSeconds({ optional: true, description: 'Only what was created from this time on.' }) from?: number;
  @EpochSeconds({ optional: true, description: 'Only what was created before this time, `from` at least.' })
  to?: number;

  @Text({
    max: 64,
    optional: true,
    description:
      'Only what this actor created: the `id` of `created_by`. Members see their own only, and get 403 for another id.',
  })
  created_by?: string;
}

/** An opening of a Spark or link. */
export class HistoryOpening {
  @EpochSeconds() opened_at: number;
  @Nested(() => ActorSummary, { description: 'A visitor is known by the id of the link, never by its code.' })
  opened_by: ActorSummary;
  @Text({
    max: 254,
    nullable: true,
    description: 'The identity that the visitor has proved; null if the link asked for none.',
  })
  verified_by: string | null;
}

/**
 * `opened`: read, or its link opened. `withdrawn`: deleted, or its link revoked, before it was opened or expired. A durable link
 * is `active`, with its openings, until it is withdrawn. `unknown`: a link of a file that an earlier release created.
 */
export const historyStatuses = ['active', 'opened', 'withdrawn', 'expired', 'unknown'] as const;
export type HistoryStatus = (typeof historyStatuses)[number];

/** A Spark with all its links, or one link of a file. */
@Example({ openings: [], ended_by: null, ended_at: null, label: 'Test server' })
export class HistoryItem {
  @OneOf(['spark', 'ingot']) type: 'spark' | 'ingot';
  @IdOf('spk', { optional: true, description: 'Sparks only.' }) spark_id?: string;
  @Text({ max: 36, optional: true, description: 'Links of files only. A UUID, never the code.' })
  link_id?: string;
  @IdOf('vlt', { optional: true, description: 'Links of files only.' }) vault_id?: string;
  @IdOf('ing', { optional: true, description: 'Links of files only.' }) ingot_id?: string;
  @LabelField() label?: string;
  @OneOf(historyStatuses) status: HistoryStatus;
  @EpochSeconds() created_at: number;
  @Nested(() => ActorSummary) created_by: ActorSummary;
  @EpochSeconds({ nullable: true, description: 'null: a durable link, or unknown.' })
  expires_at: number | null;
  @ListOf(() => HistoryOpening, { max: OPENINGS_MAX, description: 'Newest first.' })
  openings: HistoryOpening[];
  @Flag({ description: 'Whether there were earlier openings.' }) has_more_openings: boolean;
  @EpochSeconds({ nullable: true, description: 'The time of the withdrawal.' }) ended_at: number | null;
  @Nested(() => ActorSummary, { nullable: true, description: 'null unless it was withdrawn.' })
  ended_by: ActorSummary | null;
}

/** A page of the history. */
export class SparkHistory {
  @ListOf(() => HistoryItem, { max: LIMIT_MAX }) items: HistoryItem[];
  @Int({ min: 0 }) count: number;
  @Flag() has_more: boolean;
  @Text({ max: 2_048, optional: true }) next_cursor?: string;
}

/**
 * Lists what the account has sent, newest first, from its audit log, for as long as that is kept: also what the lists of Sparks
 * and links do not have any more. It has no content, no URL and no code. Members see what they created themselves.
 */
export const listSparkHistory = operation({
  name: 'reporting.list-spark-history',
  summary:
    'Lists Sparks and links of files with their openings and ends, after their expiry too, newest first.',
  http: { method: 'GET', path: '/v1/sparks/history', status: 200 },
  access: { credential: 'key' },
  query: SparkHistoryQuery,
  reply: SparkHistory,
  errors: ['ROLE_REQUIRED'],
  cursor: 'next_cursor',
  repeatable: true,
});

import { createIndex } from '@vaultsvc/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The Spark or the link of an ingot of an entry `e`, by which its history is read: the links of a Spark belong to it. An
 * expression, so that entries of instances of the release before are found, too, and none is written anew.
 */
export const historySubject = (e: string) => `
  coalesce(${e}body::jsonb #>> '{details,spark_id}',
           CASE WHEN ${e}body::jsonb #>> '{details,link_type}' = 'ingot' THEN ${e}body::jsonb #>> '{details,link_id}'
                ELSE ${e}body::jsonb #>> '{details,asset_id}' END)`;

/** The entries of the audit log by which a Spark or link is opened or ends, or a Spark gets a link. */
export const isOutcome = (e: string) => `
  ${e}event_type IN ('spark_read', 'spark_deleted', 'sparklink_created', 'sparklink_accessed', 'sparklink_deleted', 'sparklink_revoked')
  AND ${e}app_id IS NULL`;

/** The creation of a link of an ingot. Links of Sparks have no vault. */
export const isNewIngotLink = (e: string) =>
  `${e}event_type = 'sparklink_created' AND ${e}vault_id IS NOT NULL AND ${e}app_id IS NULL`;

const indexes = [
  {
    name: 'audit_of_subject',
    definition: `USING hash ((${historySubject('')})) WHERE ${isOutcome('')}`,
  },
  { name: 'audit_of_ingot_links', definition: `(account_id, seq) WHERE ${isNewIngotLink('')}` },
  {
    name: 'audit_of_ingot_links_by_actor',
    definition: `(account_id, actor_id, seq) WHERE ${isNewIngotLink('')}`,
  },
];

/**
 * The history of Sparks and links is read from the audit log. Without an index of the few entries of each, they would be searched for
 * among all entries of the account. A hash index keeps four bytes of each, not 60: a send to 500 people adds 500 entries.
 */
export class IndexSparkHistory1770000000010 implements MigrationInterface {
  readonly name = 'IndexSparkHistory1770000000010';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const index of indexes) await createIndex(runner, 'audit_entries', index);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of indexes.toReversed()) await runner.query(`DROP INDEX IF EXISTS ${name}`);
  }
}

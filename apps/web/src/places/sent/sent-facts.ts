import type { Schema } from '@vaultsvc/client';

/** A Spark without its link, which opens it: queries keep no secrets. */
export type SparkFacts = Pick<
  Schema<'Spark'>,
  | 'spark_id'
  | 'label'
  | 'filename'
  | 'content_type'
  | 'status'
  | 'created_at'
  | 'burned_at'
  | 'time_remaining'
>;

/** A link without its code. */
export type LinkFacts = Pick<
  Schema<'SparkLinkSummary'>,
  'asset_id' | 'visibility' | 'invites' | 'status' | 'verified_by'
>;

/** A link of a file without its code. */
export type FileLinkFacts = Pick<
  Schema<'SparkLinkSummary'>,
  'link_id' | 'asset_id' | 'vault_id' | 'status' | 'expires_at' | 'created_at' | 'created_by'
>;

/** The facts that the history has of a Spark, or of a link of a file; it has no secrets. */
export type HistoryItem = Schema<'HistoryItem'>;
export type Opening = HistoryItem['openings'][number];

export function sparkFacts(spark: SparkFacts): SparkFacts {
  const { spark_id, label, filename, content_type, status, created_at, burned_at, time_remaining } = spark;
  return { spark_id, label, filename, content_type, status, created_at, burned_at, time_remaining };
}

export function linkFacts({ asset_id, visibility, invites, status, verified_by }: LinkFacts): LinkFacts {
  return { asset_id, visibility, invites, status, verified_by };
}

export function fileLinkFacts(link: FileLinkFacts): FileLinkFacts {
  const { link_id, asset_id, vault_id, status, expires_at, created_at, created_by } = link;
  return { link_id, asset_id, vault_id, status, expires_at, created_at, created_by };
}

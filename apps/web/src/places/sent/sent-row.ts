import type { Schema } from '@vaultsvc/client';
import { sentTexts } from '../../texts/sent.js';
import type { BadgeKind } from '../../ui/list.js';
import { momentText } from '../../ui/format.js';

type Spark = Schema<'Spark'>;
/** A link without its code, which opens it: queries keep no secrets. */
export type LinkFacts = Pick<
  Schema<'SparkLinkSummary'>,
  'asset_id' | 'visibility' | 'invites' | 'status' | 'verified_by'
>;

export function linkFacts({ asset_id, visibility, invites, status, verified_by }: LinkFacts): LinkFacts {
  return { asset_id, visibility, invites, status, verified_by };
}

/** A Spark with its link, as the list shows it. */
export interface SentRow {
  readonly sparkId: string;
  readonly title: string;
  readonly state: { readonly kind: BadgeKind; readonly text: string };
  readonly details: readonly string[];
  /** Whether it can still be opened, and so withdrawn. */
  readonly isOpen: boolean;
  readonly hasLink: boolean;
}

export function sentRow(spark: Spark, link: LinkFacts | undefined): SentRow {
  const isOpen = spark.status === 'active';
  return {
    sparkId: spark.spark_id,
    title: spark.filename ?? sentTexts.kinds[kindOf(spark)],
    state: stateOf(spark, link),
    details: [sentTexts.created(momentText(spark.created_at)), ...audienceOf(spark, link)],
    isOpen,
    hasLink: isOpen && link?.status === 'active',
  };
}

function kindOf({ content_type: type }: Spark): 'text' | 'link' | 'file' {
  if (type.startsWith('text/uri-list')) return 'link';
  return type.startsWith('text/') ? 'text' : 'file';
}

function stateOf(spark: Spark, link: LinkFacts | undefined): SentRow['state'] {
  if (spark.status === 'expired') return { kind: 'plain', text: sentTexts.expired };
  if (spark.status === 'reading') return { kind: 'warn', text: sentTexts.opening };
  if (spark.status === 'ash')
    return { kind: 'good', text: sentTexts.opened(momentText(spark.burned_at ?? spark.created_at)) };
  if (!link) return { kind: 'plain', text: sentTexts.notShared };
  if (link.status === 'revoked') return { kind: 'plain', text: sentTexts.linkWithdrawn };
  return { kind: 'warn', text: sentTexts.waiting(spark.time_remaining) };
}

function audienceOf(spark: Spark, link: LinkFacts | undefined): readonly string[] {
  if (!link) return [];
  if (spark.status === 'ash' && link.status === 'consumed')
    return [link.verified_by ? sentTexts.openedBy(link.verified_by) : sentTexts.openedByAnybody];
  if (link.visibility === 'invite_only') return [sentTexts.inviteOnly(link.invites.join(', '))];
  return [link.visibility === 'public' ? sentTexts.public : sentTexts.authenticated];
}

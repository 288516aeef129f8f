import { EpochSeconds, IdentityList, IdOf, Int, ListOf, OneOf, Text } from '../core/fields.js';
import type { IdentityType } from '../core/identity.js';

/** Who may open a link: anyone, whoever proves an identity, or invited identities alone (LNK-18). */
export const visibilities = ['public', 'authenticated', 'invite_only'] as const;
export type Visibility = (typeof visibilities)[number];

export const linkTypes = ['spark', 'ingot'] as const;
export type LinkType = (typeof linkTypes)[number];

/** An expired link keeps its status: `expires_at` says it (LNK-05). */
export const linkStatuses = ['active', 'consumed', 'revoked'] as const;
export type LinkStatus = (typeof linkStatuses)[number];

/** A managed link is shared again and not made anew: a Spark's has at most one invite (SPK-40), an ingot's these. */
export const SPARK_INVITES_MAX = 1;
export const INGOT_INVITES_MAX = 100;

export class LinkParams {
  // Of any shape: what cannot be a code answers as one that nobody has.
  @Text({ max: 512, raw: true, description: 'The code of a SparkLink: the last part of its URL.' })
  link_code: string;
}

export const LinkCodeField = (options: { nullable?: boolean; optional?: boolean } = {}) =>
  Text({ ...options, max: 64, description: 'Whoever has it can open the link.' });
export const LinkUrlField = (options: { nullable?: boolean; optional?: boolean } = {}) =>
  Text({ ...options, max: 2_048, description: 'What people open in a browser.' });

/** What both readings of a SparkLink have in common (LNK-03). */
class SparkLinkFacts {
  @LinkCodeField() link_code: string;
  @LinkUrlField() link_url: string;
  @OneOf(linkTypes) link_type: LinkType;
  @Text({ max: 64, optional: true, description: 'The Spark or ingot.' }) asset_id?: string;
  @IdOf('vlt', { optional: true, description: 'Links of ingots only.' }) vault_id?: string;
  @OneOf(visibilities) visibility: Visibility;
  @OneOf(linkStatuses) status: LinkStatus;
  @Text({ max: 45, optional: true, description: 'The one address that may open it.' }) bound_ip?: string;
  @Int({ min: 1, optional: true, description: 'Seconds.' }) session_length?: number;
  @EpochSeconds({ nullable: true, description: 'null: a durable share, which ends when it is disabled.' })
  expires_at: number | null;
  @EpochSeconds() created_at: number;
  @Text({ max: 254, optional: true, description: 'The identity that was verified last.' })
  verified_by?: string;
  @EpochSeconds({ optional: true }) verified_at?: number;
}

/** A SparkLink as lists show it. */
export class SparkLinkSummary extends SparkLinkFacts {
  @IdentityList({ maxItems: INGOT_INVITES_MAX }) invites: string[];
}

export class InvitedIdentity {
  @Text({ max: 254 }) identity: string;
  @OneOf(['email', 'phone']) type: IdentityType;
}

/** A SparkLink as it is read by its code. */
export class SparkLink extends SparkLinkFacts {
  @ListOf(() => InvitedIdentity, { max: INGOT_INVITES_MAX }) invites: InvitedIdentity[];
}

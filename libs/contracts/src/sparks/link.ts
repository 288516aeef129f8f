import { Actor, type ActorSummary, ExactActor } from '../core/actor.js';
import { event } from '../core/event.js';
import { exampleId } from '../core/example-values.js';
import { Example } from '../core/example.js';
import {
  Cursor,
  EpochSeconds,
  Flag,
  IdentityList,
  IdOf,
  Int,
  ListOf,
  OneOf,
  Text,
  TextList,
} from '../core/fields.js';
import type { IdentityType } from '../core/identity.js';
import { operation } from '../core/operation.js';
import { CreatorField, LabelField } from './spark.js';

/** The visitors admitted by a link: anyone, anyone who verifies an identity, or only invited identities (LNK-18). */
export const visibilities = ['public', 'authenticated', 'invite_only'] as const;
export type Visibility = (typeof visibilities)[number];

export const linkTypes = ['spark', 'ingot'] as const;
export type LinkType = (typeof linkTypes)[number];

/** An expired link keeps its status; `expires_at` shows that it has expired (LNK-05). */
export const linkStatuses = ['active', 'consumed', 'revoked'] as const;
export type LinkStatus = (typeof linkStatuses)[number];

/** Most invites of the link of a Spark (SPK-40). */
export const SPARK_INVITES_MAX = 1;
/** Most invites of the durable link of an ingot. */
export const INGOT_INVITES_MAX = 100;

/** Path parameters of operations on one link. */
export class LinkParams {
  // Any text passes here: a malformed code is answered like an unknown one.
  @Text({ max: 512, raw: true, description: 'The code of a SparkLink: the last path segment of its URL.' })
  link_code: string;
}

/** The code of a link. */
export const LinkCodeField = (options: { nullable?: boolean; optional?: boolean } = {}) =>
  Text({ ...options, max: 64, description: 'Anyone with this code can open the link.' });

/** The URL of a link page. */
export const LinkUrlField = (
  options: { nullable?: boolean; optional?: boolean; olderNameOf?: string } = {},
) => Text({ ...options, max: 2_048, description: 'The page that opens the link in a browser.' });

/** The common fields of both forms of a SparkLink (LNK-03). */
@Example({ asset_id: exampleId('spk') })
class SparkLinkFields {
  @Text({
    max: 36,
    optional: true,
    description: 'As the history and the audit log name the link: a UUID, never the code.',
  })
  link_id?: string;
  @LinkCodeField() link_code: string;
  @LinkUrlField() link_url: string;
  @OneOf(linkTypes) link_type: LinkType;
  @Text({ max: 64, optional: true, description: 'The Spark or ingot.' }) asset_id?: string;
  @IdOf('vlt', { optional: true, description: 'Links of ingots only.' }) vault_id?: string;
  @OneOf(visibilities) visibility: Visibility;
  @OneOf(linkStatuses) status: LinkStatus;
  @Text({ max: 45, optional: true, description: 'The one IP address that may open the link.' })
  bound_ip?: string;
  @Int({ min: 1, optional: true, description: 'Seconds.' }) session_length?: number;
  @EpochSeconds({ nullable: true, description: 'null: a durable link, which ends when sharing is disabled.' })
  expires_at: number | null;
  @EpochSeconds() created_at: number;
  @CreatorField() created_by?: ActorSummary;
  /** Links of Sparks only. */
  @LabelField() label?: string;
  @Text({ max: 254, optional: true, description: 'The identity that was last verified.' })
  verified_by?: string;
  @EpochSeconds({ optional: true }) verified_at?: number;
}

/** A SparkLink as lists show it. */
@Example({ invites: [] })
export class SparkLinkSummary extends SparkLinkFields {
  @IdentityList({ maxItems: INGOT_INVITES_MAX }) invites: string[];
}

/** An invited identity. */
export class InvitedIdentity {
  @Text({ max: 254 }) identity: string;
  @OneOf(['email', 'phone']) type: IdentityType;
}

/** A SparkLink as it is read by its code. */
@Example({ invites: [] })
export class SparkLink extends SparkLinkFields {
  @ListOf(() => InvitedIdentity, { max: INGOT_INVITES_MAX }) invites: InvitedIdentity[];
}

/** Query of `listLinks`. */
export class LinkListQuery {
  @OneOf(linkTypes, { optional: true, description: 'Only links of Sparks, or only links of ingots.' })
  type?: LinkType;

  @Int({ min: 1, max: 100, optional: true }) limit = 50;
  @Cursor() cursor?: string;
}

/** A page of links. */
@Example({ cursor: null })
export class LinkList {
  @ListOf(() => SparkLinkSummary) sparklinks: SparkLinkSummary[];
  @Int({ min: 0 }) count: number;
  @Text({ max: 2_048, optional: true }) next_cursor?: string;
  @Text({ max: 2_048, nullable: true, olderNameOf: 'next_cursor', description: 'null on the last page.' })
  cursor: string | null;
}

/** Lists the links of the account. */
export const listLinks = operation({
  name: 'sparks.list-links',
  summary: 'Lists the SparkLinks of the account, newest first.',
  http: { method: 'GET', path: '/v1/sparklinks', status: 200 },
  access: { credential: 'key' },
  query: LinkListQuery,
  reply: LinkList,
  cursor: 'cursor',
  repeatable: true,
});

/** Reads a link. Unknown codes and codes of other accounts are 400 (LNK-07). */
export const readLink = operation({
  name: 'sparks.read-link',
  summary: 'Reads one SparkLink of the account.',
  http: { method: 'GET', path: '/v1/sparklinks/{link_code}', status: 200 },
  access: { credential: 'key' },
  shardBy: 'link_code',
  params: LinkParams,
  unknown: 'SPARKLINK_NOT_FOUND',
  reply: SparkLink,
  errors: ['SPARKLINK_NOT_FOUND'],
  repeatable: true,
});

/** A revoked link. */
export class DeletedLink {
  @Flag() deleted: true;
  @LinkCodeField() link_code: string;
}

/** Revokes a link; it stays in lists, revoked. Idempotent (AMB-36). For a durable link this ends the sharing. */
export const deleteLink = operation({
  name: 'sparks.delete-link',
  summary: 'Revokes a SparkLink: it can no longer be opened. Its Spark or ingot is kept.',
  http: { method: 'DELETE', path: '/v1/sparklinks/{link_code}', status: 200 },
  access: { credential: 'key' },
  shardBy: 'link_code',
  params: LinkParams,
  unknown: 'SPARKLINK_NOT_FOUND',
  reply: DeletedLink,
  errors: ['SPARKLINK_NOT_FOUND'],
});

/** Most links of one call of `resolveLinks`. */
export const RESOLVED_LINKS_MAX = 500;

/** Body of `resolveLinks`. */
export class LinkIds {
  @IdOf('acc') account_id: string;
  @TextList({ maxItems: RESOLVED_LINKS_MAX, max: 36 }) link_ids: string[];
}

/** The code of a link, live or ended. */
export class ResolvedLink {
  @Text({ max: 36 }) link_id: string;
  @LinkCodeField() link_code: string;
}

/** The links of the account among those asked for, in any order. */
export class ResolvedLinks {
  @ListOf(() => ResolvedLink, { max: RESOLVED_LINKS_MAX }) links: ResolvedLink[];
}

/** Reads codes for the audit trail, whose entries have only the ids of links that still open (LNK-22). */
export const resolveLinks = operation({
  name: 'sparks.resolve-links',
  summary: 'Reads the codes of links of an account by their ids. Others are omitted.',
  access: 'internal',
  callers: ['reporting'],
  body: LinkIds,
  reply: ResolvedLinks,
  repeatable: true,
});

/**
 * Payload of all link events. A code that still opens its link is a secret, so it is in the event that consumes or ends the
 * link and in no earlier one; `resolveLinks` reads it before (LNK-22). The part of an event's name after the dot, with `_` for `-`, is its name in the audit trail (LNK-20).
 */
export class LinkEvent {
  @IdOf('acc') account_id: string;
  @Text({ max: 36 }) link_id: string;
  @OneOf(linkTypes) link_type: LinkType;
  @Text({ max: 64, description: 'The Spark or ingot.' }) asset_id: string;
  @IdOf('vlt', { nullable: true }) vault_id: string | null;
}

/** A link event with its actor. `system`: the asset was deleted, and its links with it. */
export class LinkAction extends LinkEvent {
  @OneOf(['api_key', 'session', 'system']) actor_type: 'api_key' | 'session' | 'system';
  @Text({ max: 64, nullable: true }) actor_id: string | null;
  @ExactActor() actor?: Actor;
}

/** Payload of `sparklinkCreated`. */
export class LinkCreation extends LinkAction {
  @EpochSeconds({
    optional: true,
    nullable: true,
    description: 'null: a durable link. Publishers of earlier releases have no such field.',
  })
  expires_at?: number | null;
}

/** The end of a link. */
export class LinkEnd extends LinkAction {
  @Text({
    max: 64,
    optional: true,
    description: 'It opens nothing any more. Absent if key management did not answer.',
  })
  link_code?: string;
}

/** An opened link. */
export class LinkAccess extends LinkEvent {
  @Text({ max: 64, optional: true, description: 'Of a link that opens once, and is consumed now.' })
  link_code?: string;
  @OneOf(visibilities) visibility: Visibility;
  @Text({ max: 254, nullable: true }) verified_by: string | null;
  @Text({ max: 45, nullable: true }) ip: string | null;
  @Text({ max: 256, nullable: true }) user_agent: string | null;
}

/** For a link of an ingot, vaults checks that the shared content still exists: it may have ended before the link began. */
export const sparklinkCreated = event({
  name: 'sparks.sparklink-created',
  payload: LinkCreation,
  consumers: ['vaults', 'reporting'],
});
/** Visibility or invites changed. */
export const sparklinkUpdated = event({
  name: 'sparks.sparklink-updated',
  payload: LinkAction,
  consumers: ['reporting'],
});
/** The link was opened: vaults deletes the wrapped file key of a one-time link. */
export const sparklinkAccessed = event({
  name: 'sparks.sparklink-accessed',
  payload: LinkAccess,
  consumers: ['vaults', 'reporting'],
});
/** Revoked by its code, or deleted with its asset: vaults deletes the wrapped file key, forge ends its downloads. */
export const sparklinkDeleted = event({
  name: 'sparks.sparklink-deleted',
  payload: LinkEnd,
  consumers: ['vaults', 'forge', 'reporting'],
});

/** A link that was consumed before its owner withdrew it. */
export class WithdrawnLink {
  @IdOf('acc') account_id: string;
  @IdOf('vlt') vault_id: string;
  @Text({ max: 36 }) link_id: string;
}

/**
 * The owner withdrew a consumed link, and the call that ends its downloads failed: forge ends them. The event of the end of this
 * link was its consumption, which leaves them running.
 */
export const consumedLinkWithdrawn = event({
  name: 'sparks.consumed-link-withdrawn',
  payload: WithdrawnLink,
  consumers: ['forge'],
});

/** Sharing of the asset was disabled. */
export const sparklinkRevoked = event({
  name: 'sparks.sparklink-revoked',
  payload: LinkEnd,
  consumers: ['vaults', 'reporting'],
});

import { Actor, ExactActor } from '../core/actor.js';
import { EpochSeconds, IdentityList, Identity, IdOf, ListOf, Nested, OneOf, Text } from '../core/fields.js';
import type { IdentityType } from '../core/identity.js';
import { operation } from '../core/operation.js';
import { GrantPolicy } from './grant.js';
import { INGOT_INVITES_MAX, LinkCodeField, LinkUrlField, visibilities, type Visibility } from './link.js';

/** A link of an ingot. Vaults chooses its id and stores the wrapped file key under it. */
export class IngotLinkRef {
  @IdOf('acc') account_id: string;
  @IdOf('vlt') vault_id: string;
  @IdOf('ing') ingot_id: string;
  @Text({ min: 36, max: 36, description: 'A UUID.' }) link_id: string;
}

/** A link of an ingot, and the actor of the change for the audit trail. */
export class IngotLinkAction extends IngotLinkRef {
  @OneOf(['api_key', 'session']) actor_type: 'api_key' | 'session';
  @Text({ max: 64 }) actor_id: string;
  @ExactActor() actor?: Actor;
}

/** One invite of a durable link. */
export class ShareInvite {
  @IdOf('inv') invite_id: string;
  @Text({ max: 254 }) identity: string;
  @OneOf(['email', 'phone']) type: IdentityType;
  @EpochSeconds() created_at: number;
}

/** The durable link of an ingot. */
export class IngotShare {
  @LinkCodeField() link_code: string;
  @LinkUrlField() link_url: string;
  @OneOf(visibilities) visibility: Visibility;
  @ListOf(() => ShareInvite, { max: INGOT_INVITES_MAX }) invites: ShareInvite[];
  @EpochSeconds() created_at: number;
}

/** Body of `putIngotShare`. Absent fields are unchanged; the first call for a link needs `visibility`. */
export class IngotShareTerms extends IngotLinkAction {
  @OneOf(visibilities, { optional: true }) visibility?: Visibility;
  @IdentityList({ maxItems: INGOT_INVITES_MAX, optional: true }) invites?: string[];
}

/**
 * Creates or changes the durable link with this id. Idempotent. LINK_REVOKED if another link has or had the id: retry
 * with a new id.
 */
export const putIngotShare = operation({
  name: 'sparks.put-ingot-share',
  summary: 'Creates or changes the durable link of an ingot.',
  access: 'internal',
  callers: ['vaults'],
  body: IngotShareTerms,
  reply: IngotShare,
  errors: ['LINK_REVOKED', 'MESSAGES_EXHAUSTED'],
  repeatable: true,
});

/** Reads a durable link. LINK_NOT_FOUND if it is not active. */
export const readIngotShare = operation({
  name: 'sparks.read-ingot-share',
  summary: 'Reads the active durable link of an ingot.',
  access: 'internal',
  callers: ['vaults'],
  body: IngotLinkRef,
  reply: IngotShare,
  errors: ['LINK_NOT_FOUND'],
  repeatable: true,
});

/** Body of `inviteToShare`. */
export class ShareInvitation extends IngotLinkAction {
  @Identity() identity: string;
}

/** Adds one invite to an `invite_only` link and sends the invitation. */
export const inviteToShare = operation({
  name: 'sparks.invite-to-share',
  summary: 'Invites an identity to the durable link of an ingot.',
  access: 'internal',
  callers: ['vaults'],
  body: ShareInvitation,
  reply: ShareInvite,
  errors: ['LINK_NOT_FOUND', 'INVITE_TAKEN', 'INVITES_EXHAUSTED', 'MESSAGES_EXHAUSTED'],
});

/** One invite, and the actor of the change. */
export class ShareInviteRef extends IngotLinkAction {
  @IdOf('inv') invite_id: string;
}

/** When the invitation was sent again. */
export class ShareInviteSent {
  @EpochSeconds() sent_at: number;
}

/** Sends an invitation again. */
export const resendShareInvite = operation({
  name: 'sparks.resend-share-invite',
  summary: 'Sends an invitation again.',
  access: 'internal',
  callers: ['vaults'],
  body: ShareInviteRef,
  reply: ShareInviteSent,
  errors: ['LINK_NOT_FOUND', 'INVITE_NOT_FOUND', 'MESSAGES_EXHAUSTED'],
});

/** The invite is revoked. */
export class ShareInviteWithdrawn {}

/** Revokes one invite. */
export const withdrawShareInvite = operation({
  name: 'sparks.withdraw-share-invite',
  summary: 'Revokes an invite: the invited identity can no longer open the link.',
  access: 'internal',
  callers: ['vaults'],
  body: ShareInviteRef,
  reply: ShareInviteWithdrawn,
  errors: ['LINK_NOT_FOUND', 'INVITE_NOT_FOUND'],
});

/** The terms of a link that is the grant of a send (NTF-07). */
export class IngotGrant {
  @Text({ min: 36, max: 36, description: 'A UUID: the send.' }) group_id: string;
  @Nested(() => GrantPolicy) policy: GrantPolicy;
  @Identity({ nullable: true, description: 'The identity that must be proved; null for level none.' })
  identity: string | null;
}

/** Body of `addOneTimeLink`. Vaults chooses the code, which wraps the file key, and does not store it. */
export class OneTimeLink extends IngotLinkAction {
  @LinkCodeField() link_code: string;
  @EpochSeconds() expires_at: number;
  @Nested(() => IngotGrant, { optional: true, description: 'Absent: anyone with the link opens it.' })
  grant?: IngotGrant;
}

/** An added one-time link. */
export class OneTimeLinkAdded {
  @LinkUrlField() link_url: string;
  @EpochSeconds() created_at: number;
}

/**
 * Adds a one-time link, which can be opened from now on. Idempotent. LINK_REVOKED for a grant that was recalled before;
 * VALIDATION_ERROR for one whose identity does not fit the level.
 */
export const addOneTimeLink = operation({
  name: 'sparks.add-one-time-link',
  summary: 'Adds a one-time link of an ingot.',
  access: 'internal',
  callers: ['vaults'],
  body: OneTimeLink,
  reply: OneTimeLinkAdded,
  errors: ['LINK_REVOKED'],
  repeatable: true,
});

/** Body of `deliverLink`: a one-time link of this ingot. */
export class LinkDelivery {
  @IdOf('acc') account_id: string;
  @IdOf('vlt') vault_id: string;
  @IdOf('ing') ingot_id: string;
  @Text({ max: 65_536, raw: true }) link_code: string;
  @Identity() identity: string;
}

/** Whether and when the message was handed to its channel. */
export class LinkDelivered {
  @EpochSeconds({ nullable: true, description: 'null: not delivered, because no sender is configured.' })
  delivered_at: number | null;
}

/** Sends a one-time link, unless notify says that no sender for this identity is configured (OPEN-35). */
export const deliverLink = operation({
  name: 'sparks.deliver-link',
  summary: 'Sends a one-time link of an ingot by e-mail or SMS.',
  access: 'internal',
  callers: ['vaults'],
  body: LinkDelivery,
  reply: LinkDelivered,
  errors: ['SPARKLINK_NOT_FOUND', 'LINK_CONSUMED', 'LINK_REVOKED', 'LINK_EXPIRED', 'MESSAGES_EXHAUSTED'],
});

/** Body of `revokeLinks`: one link, all links of an ingot, or all links of a vault. */
export class LinkRevocation {
  @IdOf('acc') account_id: string;
  @IdOf('vlt') vault_id: string;
  @IdOf('ing', { nullable: true, description: 'null: of all ingots of the vault.' }) ingot_id: string | null;
  @Text({ max: 36, nullable: true, description: 'null: all links of the ingot.' }) link_id: string | null;
  @OneOf(['unshared', 'removed'], {
    description:
      'unshared: the link stays in lists, revoked; removed: it is deleted with its ingot (AMB-36).',
  })
  reason: 'unshared' | 'removed';
  @OneOf(['api_key', 'session'], {
    nullable: true,
    description: 'null: the asset was deleted; no caller revoked the link.',
  })
  actor_type: 'api_key' | 'session' | null;
  @Text({ max: 64, nullable: true }) actor_id: string | null;
  @ExactActor() actor?: Actor;
}

/** The links are revoked. */
export class LinksRevoked {}

/** Revokes links before vaults answers its caller. The event of the same change revokes them too. Idempotent. */
export const revokeLinks = operation({
  name: 'sparks.revoke-links',
  summary: 'Revokes links of ingots.',
  access: 'internal',
  callers: ['vaults'],
  body: LinkRevocation,
  reply: LinksRevoked,
  repeatable: true,
});

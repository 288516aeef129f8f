import { EpochSeconds, IdentityList, Identity, IdOf, ListOf, OneOf, Text } from '../core/fields.js';
import type { IdentityType } from '../core/identity.js';
import { operation } from '../core/operation.js';
import { INGOT_INVITES_MAX, LinkCodeField, LinkUrlField, visibilities, type Visibility } from './link.js';

/** A link of an ingot. Vaults draws its id, under which it keeps the wrap of the file's key. */
export class IngotLinkRef {
  @IdOf('acc') account_id: string;
  @IdOf('vlt') vault_id: string;
  @IdOf('ing') ingot_id: string;
  @Text({ min: 36, max: 36, description: 'A UUID.' }) link_id: string;
}

/** What somebody does to such a link; who, for the audit trail. */
export class IngotLinkAct extends IngotLinkRef {
  @OneOf(['api_key', 'session']) actor_type: 'api_key' | 'session';
  @Text({ max: 64 }) actor_id: string;
}

/** `visibility` and `invites` that are absent stay as they are; a first one needs a visibility. */
export class IngotShareTerms extends IngotLinkAct {
  @OneOf(visibilities, { optional: true }) visibility?: Visibility;
  @IdentityList({ maxItems: INGOT_INVITES_MAX, optional: true }) invites?: string[];
}

export class ShareInvite {
  @IdOf('inv') invite_id: string;
  @Text({ max: 254 }) identity: string;
  @OneOf(['email', 'phone']) type: IdentityType;
  @EpochSeconds() created_at: number;
}

export class IngotShare {
  @LinkCodeField() link_code: string;
  @LinkUrlField() link_url: string;
  @OneOf(visibilities) visibility: Visibility;
  @ListOf(() => ShareInvite, { max: INGOT_INVITES_MAX }) invites: ShareInvite[];
  @EpochSeconds() created_at: number;
}

/**
 * Makes the durable link of this id, or changes it. The same one twice is made once; an id that something else has is
 * LINK_REVOKED: draw another.
 */
export const putIngotShare = operation({
  name: 'sparks.put-ingot-share',
  summary: 'Makes or changes the durable link of an ingot.',
  access: 'internal',
  body: IngotShareTerms,
  reply: IngotShare,
  errors: ['LINK_REVOKED', 'MESSAGES_EXHAUSTED'],
  repeatable: true,
});

export const readIngotShare = operation({
  name: 'sparks.read-ingot-share',
  summary: 'The durable link of an ingot as it is; LINK_NOT_FOUND when it is not active.',
  access: 'internal',
  body: IngotLinkRef,
  reply: IngotShare,
  errors: ['LINK_NOT_FOUND'],
  repeatable: true,
});

export class ShareInvitation extends IngotLinkAct {
  @Identity() identity: string;
}

/** Invites one more and sends the invitation. */
export const inviteToShare = operation({
  name: 'sparks.invite-to-share',
  summary: 'Invites somebody to the durable link of an ingot.',
  access: 'internal',
  body: ShareInvitation,
  reply: ShareInvite,
  errors: ['LINK_NOT_FOUND', 'INVITE_TAKEN', 'INVITES_EXHAUSTED', 'MESSAGES_EXHAUSTED'],
});

export class ShareInviteRef extends IngotLinkAct {
  @IdOf('inv') invite_id: string;
}

export class ShareInviteGone {}

export const withdrawShareInvite = operation({
  name: 'sparks.withdraw-share-invite',
  summary: 'Takes an invite back; whoever had it can no longer open.',
  access: 'internal',
  body: ShareInviteRef,
  reply: ShareInviteGone,
  errors: ['LINK_NOT_FOUND', 'INVITE_NOT_FOUND'],
});

export class ShareInviteSent {
  @EpochSeconds() sent_at: number;
}

export const resendShareInvite = operation({
  name: 'sparks.resend-share-invite',
  summary: 'Sends the invitation again.',
  access: 'internal',
  body: ShareInviteRef,
  reply: ShareInviteSent,
  errors: ['LINK_NOT_FOUND', 'INVITE_NOT_FOUND', 'MESSAGES_EXHAUSTED'],
});

/** Vaults has drawn the code, because it wraps the file's key; nobody but the caller of vaults keeps it. */
export class OneTimeLink extends IngotLinkAct {
  @LinkCodeField() link_code: string;
  @EpochSeconds() expires_at: number;
}

export class OneTimeLinkAdded {
  @LinkUrlField() link_url: string;
  @EpochSeconds() created_at: number;
}

/** The same one twice is added once. */
export const addOneTimeLink = operation({
  name: 'sparks.add-one-time-link',
  summary: 'Lists a one-time link of an ingot, which can be opened from now on.',
  access: 'internal',
  body: OneTimeLink,
  reply: OneTimeLinkAdded,
  repeatable: true,
});

/** A one-time link of this very ingot. */
export class LinkDelivery {
  @IdOf('acc') account_id: string;
  @IdOf('vlt') vault_id: string;
  @IdOf('ing') ingot_id: string;
  @Text({ max: 65_536, raw: true }) link_code: string;
  @Identity() identity: string;
}

export class LinkDelivered {
  @EpochSeconds() delivered_at: number;
}

export const deliverLink = operation({
  name: 'sparks.deliver-link',
  summary: 'Sends a one-time link of an ingot by e-mail or SMS.',
  access: 'internal',
  body: LinkDelivery,
  reply: LinkDelivered,
  errors: ['SPARKLINK_NOT_FOUND', 'LINK_CONSUMED', 'LINK_REVOKED', 'LINK_EXPIRED', 'MESSAGES_EXHAUSTED'],
});

/** Which links end: one, all of an ingot, or all of a vault. */
export class LinkRevocation {
  @IdOf('acc') account_id: string;
  @IdOf('vlt') vault_id: string;
  @IdOf('ing', { nullable: true, description: 'null: of all ingots of the vault.' }) ingot_id: string | null;
  @Text({ max: 36, nullable: true, description: 'null: all links of the ingot.' }) link_id: string | null;
  @OneOf(['unshared', 'removed'], {
    description: 'unshared: it stays, revoked, in lists; removed: it goes with its ingot (AMB-36).',
  })
  reason: 'unshared' | 'removed';
  @OneOf(['api_key', 'session'], { nullable: true, description: 'null: the asset went, nobody withdrew it.' })
  actor_type: 'api_key' | 'session' | null;
  @Text({ max: 64, nullable: true }) actor_id: string | null;
}

export class LinksRevoked {}

/** Asked before the caller of vaults is answered; the event of the same change does it too. */
export const revokeLinks = operation({
  name: 'sparks.revoke-links',
  summary: 'Ends links of ingots.',
  access: 'internal',
  body: LinkRevocation,
  reply: LinksRevoked,
  repeatable: true,
});

import { event } from '../core/event.js';
import { EXAMPLE_FILE_URL, exampleId } from '../core/example-values.js';
import { Example } from '../core/example.js';
import { EpochSeconds, Flag, Identity, IdentityList, IdOf, ListOf, OneOf, Text } from '../core/fields.js';
import type { IdentityType } from '../core/identity.js';
import { operation } from '../core/operation.js';
import {
  INGOT_INVITES_MAX,
  LinkCodeField,
  LinkUrlField,
  visibilities,
  type Visibility,
} from '../sparks/link.js';
import { IngotAction, IngotParams } from './ingot.js';
import { readErrors } from './vault.js';

const SHARING_PATH = '/v1/vaults/{vault_id}/ingots/{ingot_id}/sharing' as const;

/** Errors of every operation on links of an ingot. Managed ingots cannot be shared (AMB-56). */
export const sharingErrors = [
  ...readErrors,
  'INGOT_NOT_FOUND',
  'INGOT_NAME_AMBIGUOUS',
  'INGOT_MANAGED',
] as const;

/** An invited identity. */
export class SharingInvite {
  @IdOf('inv') invite_id: string;
  @Text({ max: 254 }) identity: string;
  @OneOf(['email', 'phone']) type: IdentityType;
}

/** The durable link of an ingot (SHR-05). URL and code are null while the ingot is not shared. */
@Example({ invites: [], link_url: EXAMPLE_FILE_URL })
export class IngotSharing {
  @IdOf('ing') ingot_id: string;
  @Flag() shared: boolean;
  @OneOf(visibilities, { nullable: true }) visibility: Visibility | null;
  @LinkUrlField({ nullable: true }) link_url: string | null;
  @LinkUrlField({ nullable: true, olderNameOf: 'link_url' }) public_url: string | null;
  @LinkCodeField({ nullable: true }) link_code: string | null;
  @ListOf(() => SharingInvite, { max: INGOT_INVITES_MAX }) invites: SharingInvite[];
  @EpochSeconds() updated_at: number;
}

/** Reads the durable link of an ingot. */
export const readSharing = operation({
  name: 'vaults.read-sharing',
  summary: 'Reads whether and how an ingot is shared.',
  http: { method: 'GET', path: SHARING_PATH, status: 200 },
  access: { credential: 'key', vat: 'read' },
  params: IngotParams,
  unknown: 'VAULT_NOT_FOUND',
  reply: IngotSharing,
  errors: [...sharingErrors],
  repeatable: true,
});

/** Body of `updateSharing`. */
@Example({ shared: true, visibility: 'public' })
export class SharingChange {
  @Flag({ optional: true, description: 'Absent: unchanged.' }) shared?: boolean;
  @OneOf(visibilities, {
    optional: true,
    description: 'Who may open the link. Required when sharing is enabled.',
  })
  visibility?: Visibility;
  @IdentityList({
    maxItems: INGOT_INVITES_MAX,
    optional: true,
    description:
      'Visibility invite_only: the complete list of invited identities; absent: none. New ones receive an invitation.',
  })
  invites?: string[];
}

/**
 * Enables, changes or disables the durable link. Enabling wraps the file key for the share key of the vault, which needs
 * the unsealed vault; disabling deletes that wrap.
 */
export const updateSharing = operation({
  name: 'vaults.update-sharing',
  summary: 'Shares an ingot under a durable link, changes who may open the link, or ends the sharing.',
  http: { method: 'PUT', path: SHARING_PATH, status: 200 },
  access: { credential: 'key', vat: 'write' },
  params: IngotParams,
  unknown: 'VAULT_NOT_FOUND',
  body: SharingChange,
  reply: IngotSharing,
  errors: [...sharingErrors, 'VAT_READ_ONLY', 'INGOT_NOT_READY', 'SHARING_DISABLED', 'MESSAGES_EXHAUSTED'],
});

/** Body of `inviteToIngot`. */
export class NewSharingInvite {
  @Identity() identity: string;
}

/** A new invite. */
export class CreatedInvite extends SharingInvite {
  @EpochSeconds() created_at: number;
}

/** Adds one invite to the durable link, whose visibility must be `invite_only` (AMB-37). */
export const inviteToIngot = operation({
  name: 'vaults.invite-to-ingot',
  summary:
    'Invites an identity to an ingot that is shared with invited people only, and sends the invitation.',
  http: { method: 'POST', path: `${SHARING_PATH}/invite`, status: 201 },
  idempotent: { id: 'invite_id' },
  access: { credential: 'key', vat: 'write' },
  params: IngotParams,
  unknown: 'VAULT_NOT_FOUND',
  body: NewSharingInvite,
  reply: CreatedInvite,
  errors: [
    ...sharingErrors,
    'VAT_READ_ONLY',
    'INGOT_NOT_SHARED',
    'SHARING_DISABLED',
    'INVITE_TAKEN',
    'INVITES_EXHAUSTED',
    'MESSAGES_EXHAUSTED',
  ],
});

/** Path parameters of operations on one invite. */
@Example({ invite_id: exampleId('inv') })
export class InviteParams extends IngotParams {
  // Any text passes here, as for ingot_id.
  @Text({ max: 65_536, raw: true, description: 'The inv_ id of the invite.' }) invite_id: string;
}

/** An invite whose invitation was sent again. */
export class ResentInvite {
  @IdOf('inv') invite_id: string;
  @Flag() resent: true;
  @EpochSeconds() sent_at: number;
}

/** Sends an invitation again. */
export const resendInvite = operation({
  name: 'vaults.resend-invite',
  summary: 'Sends an invitation again.',
  http: { method: 'POST', path: `${SHARING_PATH}/invite/{invite_id}/resend`, status: 200 },
  access: { credential: 'key', vat: 'write' },
  params: InviteParams,
  unknown: 'VAULT_NOT_FOUND',
  reply: ResentInvite,
  errors: [...sharingErrors, 'VAT_READ_ONLY', 'SHARING_DISABLED', 'INVITE_NOT_FOUND', 'MESSAGES_EXHAUSTED'],
});

/** A revoked invite. */
export class RevokedInvite {
  @IdOf('inv') invite_id: string;
  @Flag() revoked: true;
}

/** Revokes one invite. */
export const revokeInvite = operation({
  name: 'vaults.revoke-invite',
  summary: 'Revokes an invite: the invited identity can no longer open the link.',
  http: { method: 'DELETE', path: `${SHARING_PATH}/invite/{invite_id}`, status: 200 },
  access: { credential: 'key', vat: 'write' },
  params: InviteParams,
  unknown: 'VAULT_NOT_FOUND',
  reply: RevokedInvite,
  errors: [...sharingErrors, 'VAT_READ_ONLY', 'INVITE_NOT_FOUND'],
});

/** Payload of events of the durable link. */
export class SharingAction extends IngotAction {
  @Text({ max: 36, description: 'The id of the durable link.' }) link_id: string;
}

export const sharingEnabled = event({
  name: 'vaults.sharing-enabled',
  payload: SharingAction,
  consumers: ['reporting'],
});
/** The wrap of the file key is deleted: sparks revokes the link, forge ends the downloads issued through it. */
export const sharingDisabled = event({
  name: 'vaults.sharing-disabled',
  payload: SharingAction,
  consumers: ['forge', 'sparks', 'reporting'],
});

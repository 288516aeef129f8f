import {
  EpochSeconds,
  Flag,
  Identity,
  IdentityList,
  IdOf,
  Int,
  ListOf,
  OneOf,
  Text,
} from '../core/fields.js';
import type { IdentityType } from '../core/identity.js';
import { operation } from '../core/operation.js';
import {
  INGOT_INVITES_MAX,
  LinkCodeField,
  LinkUrlField,
  visibilities,
  type Visibility,
} from '../sparks/link.js';
import { IngotParams } from './ingot.js';
import { readErrors } from './vault.js';

const INGOT = '/v1/vaults/{vault_id}/ingots/{ingot_id}' as const;

/** What every sharing route may answer beside its own. Managed ingots take no part (AMB-56). */
const ingotErrors = [...readErrors, 'INGOT_NOT_FOUND', 'INGOT_NAME_AMBIGUOUS', 'INGOT_MANAGED'] as const;

export class SharingChange {
  @Flag({ optional: true, description: 'Absent: as it is.' }) shared?: boolean;
  @OneOf(visibilities, { optional: true, description: 'Who may open it; needed when sharing begins.' })
  visibility?: Visibility;
  @IdentityList({
    maxItems: INGOT_INVITES_MAX,
    optional: true,
    description: 'All who are invited; absent: as it is. Whoever is new among them is sent an invitation.',
  })
  invites?: string[];
}

export class SharingInvite {
  @IdOf('inv') invite_id: string;
  @Text({ max: 254 }) identity: string;
  @OneOf(['email', 'phone']) type: IdentityType;
}

/** How an ingot is shared (SHR-05). Not shared it has no URL and no code. */
export class IngotSharing {
  @IdOf('ing') ingot_id: string;
  @Flag() shared: boolean;
  @OneOf(visibilities, { nullable: true }) visibility: Visibility | null;
  @LinkUrlField({ nullable: true }) public_url: string | null;
  @LinkCodeField({ nullable: true }) link_code: string | null;
  @ListOf(() => SharingInvite, { max: INGOT_INVITES_MAX }) invites: SharingInvite[];
  @EpochSeconds() updated_at: number;
}

/** Enabling wraps the file's key for the vault's share key, which needs the open vault; disabling shreds that wrap. */
export const updateSharing = operation({
  name: 'vaults.update-sharing',
  summary: 'Shares a file under a durable link, changes who may open it, or ends that.',
  http: { method: 'PUT', path: `${INGOT}/sharing`, status: 200 },
  access: { credential: 'key', vat: 'write' },
  params: IngotParams,
  unknown: 'VAULT_NOT_FOUND',
  body: SharingChange,
  reply: IngotSharing,
  errors: [...ingotErrors, 'VAT_READ_ONLY', 'INGOT_NOT_READY', 'SHARING_DISABLED', 'MESSAGES_EXHAUSTED'],
});

export const readSharing = operation({
  name: 'vaults.read-sharing',
  summary: 'Tells whether and how a file is shared.',
  http: { method: 'GET', path: `${INGOT}/sharing`, status: 200 },
  access: { credential: 'key', vat: 'read' },
  params: IngotParams,
  unknown: 'VAULT_NOT_FOUND',
  reply: IngotSharing,
  errors: [...ingotErrors],
  repeatable: true,
});

export class NewSharingInvite {
  @Identity() identity: string;
}

export class CreatedInvite extends SharingInvite {
  @EpochSeconds() created_at: number;
}

export const inviteToIngot = operation({
  name: 'vaults.invite-to-ingot',
  summary: 'Invites somebody to a shared file, and sends the invitation.',
  http: { method: 'POST', path: `${INGOT}/sharing/invite`, status: 201 },
  access: { credential: 'key', vat: 'write' },
  params: IngotParams,
  unknown: 'VAULT_NOT_FOUND',
  body: NewSharingInvite,
  reply: CreatedInvite,
  errors: [
    ...ingotErrors,
    'VAT_READ_ONLY',
    'INGOT_NOT_SHARED',
    'SHARING_DISABLED',
    'INVITE_TAKEN',
    'INVITES_EXHAUSTED',
    'MESSAGES_EXHAUSTED',
  ],
});

export class InviteParams extends IngotParams {
  // Of any shape, as ingot_id is.
  @Text({ max: 65_536, raw: true, description: 'The inv_ id of the invite.' }) invite_id: string;
}

export class RevokedInvite {
  @IdOf('inv') invite_id: string;
  @Flag() revoked: true;
}

export const revokeInvite = operation({
  name: 'vaults.revoke-invite',
  summary: 'Takes an invite back: whoever had it can no longer open the file by it.',
  http: { method: 'DELETE', path: `${INGOT}/sharing/invite/{invite_id}`, status: 200 },
  access: { credential: 'key', vat: 'write' },
  params: InviteParams,
  unknown: 'VAULT_NOT_FOUND',
  reply: RevokedInvite,
  errors: [...ingotErrors, 'VAT_READ_ONLY', 'INVITE_NOT_FOUND'],
});

export class ResentInvite {
  @IdOf('inv') invite_id: string;
  @Flag() resent: true;
  @EpochSeconds() sent_at: number;
}

export const resendInvite = operation({
  name: 'vaults.resend-invite',
  summary: 'Sends an invitation again.',
  http: { method: 'POST', path: `${INGOT}/sharing/invite/{invite_id}/resend`, status: 200 },
  access: { credential: 'key', vat: 'write' },
  params: InviteParams,
  unknown: 'VAULT_NOT_FOUND',
  reply: ResentInvite,
  errors: [...ingotErrors, 'VAT_READ_ONLY', 'SHARING_DISABLED', 'INVITE_NOT_FOUND', 'MESSAGES_EXHAUSTED'],
});

export class NewIngotLink {
  @Int({ min: 300, max: 86_400, optional: true, description: 'Seconds.' }) expires_in_seconds = 86_400;
}

export class CreatedIngotLink {
  @LinkCodeField() link_code: string;
  @LinkUrlField() link_url: string;
  @EpochSeconds() expires_at: number;
  @EpochSeconds() created_at: number;
}

/** Independent of durable sharing: it needs no public file sharing, and neither ends the other (SHR-16). */
export const createIngotLink = operation({
  name: 'vaults.create-ingot-link',
  summary: 'Makes a link that gives the present content of a file once.',
  http: { method: 'POST', path: `${INGOT}/sparklinks`, status: 201 },
  access: { credential: 'key', vat: 'write' },
  params: IngotParams,
  unknown: 'VAULT_NOT_FOUND',
  body: NewIngotLink,
  reply: CreatedIngotLink,
  errors: [...ingotErrors, 'VAT_READ_ONLY', 'INGOT_NOT_READY'],
});

export class IngotLinkParams extends IngotParams {
  // Of any shape, as ingot_id is.
  @Text({ max: 65_536, raw: true, description: 'The code of a one-time link of this ingot.' }) code: string;
}

export class IngotLinkDelivery {
  @Identity({ description: 'Where the link is sent.' }) identity: string;
}

export class DeliveredIngotLink {
  @LinkCodeField() link_code: string;
  @Text({ max: 254 }) identity: string;
  @Flag() delivered: true;
  @EpochSeconds() delivered_at: number;
}

export const deliverIngotLink = operation({
  name: 'vaults.deliver-ingot-link',
  summary: 'Sends a one-time link by e-mail or SMS.',
  http: { method: 'POST', path: `${INGOT}/sparklinks/{code}/deliver`, status: 200 },
  access: { credential: 'key', vat: 'write' },
  params: IngotLinkParams,
  unknown: 'VAULT_NOT_FOUND',
  body: IngotLinkDelivery,
  reply: DeliveredIngotLink,
  errors: [
    ...ingotErrors,
    'VAT_READ_ONLY',
    'SPARKLINK_NOT_FOUND',
    'LINK_CONSUMED',
    'LINK_REVOKED',
    'LINK_EXPIRED',
    'MESSAGES_EXHAUSTED',
  ],
});

import { Actor, ExactActor } from '../core/actor.js';
import { event } from '../core/event.js';
import { EXAMPLE_LINK_CODE, exampleTime } from '../core/example-values.js';
import { Example } from '../core/example.js';
import { EpochSeconds, Flag, Identity, IdOf, Int, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { IngotGrant } from '../sparks/ingot-link.js';
import { LinkCodeField, LinkUrlField } from '../sparks/link.js';
import { ContentHashField, IngotParams, ModifiedAt } from './ingot.js';
import { sharingErrors } from './sharing.js';

const LINKS_PATH = '/v1/vaults/{vault_id}/ingots/{ingot_id}/sparklinks' as const;

/** Path parameters of operations on one one-time link. */
@Example({ code: EXAMPLE_LINK_CODE })
export class IngotLinkParams extends IngotParams {
  // Any text passes here, as for ingot_id.
  @Text({ max: 65_536, raw: true, description: 'The code of a one-time link of this ingot.' }) code: string;
}

/** Body of `createIngotLink`. */
@Example({ expires_in_seconds: 3_600 })
export class NewIngotLink {
  @Int({ min: 300, max: 86_400, optional: true, description: 'Lifetime in seconds.' })
  expires_in_seconds = 86_400;
}

/** A new one-time link. */
@Example({ expires_at: exampleTime(3_600) })
export class CreatedIngotLink {
  @LinkCodeField() link_code: string;
  @LinkUrlField() link_url: string;
  @EpochSeconds() expires_at: number;
  @EpochSeconds() created_at: number;
}

/** Creates a one-time link. It needs no public file sharing, and neither kind of link affects the other (SHR-16). */
export const createIngotLink = operation({
  name: 'vaults.create-ingot-link',
  summary: 'Creates a link that downloads the current content of an ingot once.',
  http: { method: 'POST', path: LINKS_PATH, status: 201 },
  idempotent: { secrets: ['link_url'] },
  access: { credential: 'key', vat: 'write' },
  params: IngotParams,
  unknown: 'VAULT_NOT_FOUND',
  body: NewIngotLink,
  reply: CreatedIngotLink,
  errors: [...sharingErrors, 'VAT_READ_ONLY', 'INGOT_NOT_READY'],
  callers: ['integrations'],
});

/** Body of `createGrantLink`. The actor is the caller of notify; the token must be for its user. */
export class NewGrantLink extends IngotGrant {
  @IdOf('acc') account_id: string;
  @OneOf(['api_key', 'session']) actor_type: 'api_key' | 'session';
  @Text({ max: 64, description: 'The user of a session, or the id of the API key.' }) actor_id: string;
  @ExactActor() actor?: Actor;
  @Text({ max: 65_536, raw: true }) vault_id: string;
  @Text({ max: 65_536, raw: true }) ingot_id: string;
  @Text({ max: 200, raw: true, description: 'A write Vault Access Token as the caller sent it.' })
  vat: string;
  @Text({
    min: 36,
    max: 36,
    description: 'A UUID, chosen by the caller, which can recall the grant if no reply arrives.',
  })
  link_id: string;
  @Int({ min: 60, max: 86_400 }) expires_in_seconds: number;
}

/** A new grant. */
export class CreatedGrantLink {
  @Text({ max: 36 }) link_id: string;
  @IdOf('ing') ingot_id: string;
  @EpochSeconds() expires_at: number;
}

/** Creates the one-time link of a send to one recipient (NTF-07). Its code is read with `resolveGrants` (OPEN-64). */
export const createGrantLink = operation({
  name: 'vaults.create-grant-link',
  summary: 'Creates a link that downloads the current content of an ingot once, under a policy.',
  access: 'internal',
  callers: ['notify'],
  body: NewGrantLink,
  reply: CreatedGrantLink,
  errors: [...sharingErrors, 'VAT_READ_ONLY', 'INGOT_NOT_READY', 'LINK_REVOKED'],
});

/** Body of `deliverIngotLink`. */
export class IngotLinkDelivery {
  @Identity({ description: 'The recipient.' }) identity: string;
}

/** Why a link was not sent. `unconfigured`: this installation has no sender for e-mails, or none for text messages. */
export const deliveryObstacles = ['unconfigured'] as const;

/** A one-time link that was sent, or the reason why it was not. */
export class DeliveredIngotLink {
  @LinkCodeField() link_code: string;
  @Text({ max: 254 }) identity: string;
  @Flag() delivered: boolean;
  @EpochSeconds({ nullable: true, description: 'null: not delivered.' }) delivered_at: number | null;
  @OneOf(deliveryObstacles, {
    optional: true,
    description:
      'Only if not delivered: unconfigured, when no sender for this type of identity is configured.',
  })
  reason?: (typeof deliveryObstacles)[number];
}

/** Sends a one-time link. */
export const deliverIngotLink = operation({
  name: 'vaults.deliver-ingot-link',
  summary: 'Sends a one-time link by e-mail or SMS.',
  http: { method: 'POST', path: `${LINKS_PATH}/{code}/deliver`, status: 200 },
  access: { credential: 'key', vat: 'write' },
  params: IngotLinkParams,
  unknown: 'VAULT_NOT_FOUND',
  body: IngotLinkDelivery,
  reply: DeliveredIngotLink,
  errors: [
    ...sharingErrors,
    'VAT_READ_ONLY',
    'SPARKLINK_NOT_FOUND',
    'LINK_CONSUMED',
    'LINK_REVOKED',
    'LINK_EXPIRED',
    'MESSAGES_EXHAUSTED',
  ],
});

/** A link of an ingot that sparks has verified. `link_code` unwraps the key of a one-time link; null: a durable link. */
export class SharedFileRequest {
  @IdOf('acc') account_id: string;
  @IdOf('vlt') vault_id: string;
  @IdOf('ing') ingot_id: string;
  @Text({ max: 36 }) link_id: string;
  @Text({ max: 64, nullable: true }) link_code: string | null;
  @Flag({ description: 'Return the metadata only and issue no URL.' }) describe: boolean;
  // Optional: sparks of the previous release does not send it.
  @Flag({ optional: true, description: 'Issue a URL that can be used until it ends.' }) resume?: boolean;
}

/** The file behind a link. */
export class SharedFile {
  @Text({ max: 255 }) name: string;
  @Int({ min: 1 }) size_bytes: number;
  @Text({ max: 255 }) content_type: string;
  @Text({ max: 64, optional: true, description: 'Absent from instances of the previous release.' })
  version_id?: string;
  @ContentHashField({ optional: true }) content_hash?: string | null;
  // Optional: vaults of the previous release does not send it.
  @ModifiedAt({ optional: true }) modified_at?: number | null;
  @Text({ max: 2_048, nullable: true, description: 'A download URL; null if describe was set.' })
  download_url: string | null;
  @EpochSeconds({
    optional: true,
    description: 'The end of a URL that can be used repeatedly. Absent: the URL is for a single use.',
  })
  expires_at?: number;
}

/**
 * Issues a download URL for a link. A caller that does not hand the URL out must revoke it. Errors: LINK_REVOKED when
 * the wrap of the file key is deleted, LINK_SUSPENDED while public file sharing is off, QUOTA_EXCEEDED when the
 * bandwidth of the owner is exhausted.
 */
export const openSharedFile = operation({
  name: 'vaults.open-shared-file',
  summary: 'Describes a shared file, or issues a download URL for it.',
  access: 'internal',
  callers: ['sparks'],
  body: SharedFileRequest,
  reply: SharedFile,
  errors: ['LINK_REVOKED', 'LINK_SUSPENDED', 'INGOT_NOT_READY'],
});

/** Body of `describeVersion`. */
export class VersionRequest {
  @IdOf('acc') account_id: string;
  @IdOf('vlt') vault_id: string;
  @IdOf('ing') ingot_id: string;
}

/** The current version of an ingot. */
export class CurrentVersion {
  @Text({ max: 64 }) version_id: string;
  @Int({ min: 1 }) size_bytes: number;
}

/** Reads which version of an ingot is current. A receipt is of the version that was opened (NTF-10). */
export const describeVersion = operation({
  name: 'vaults.describe-version',
  summary: 'Reads the current version of an ingot.',
  access: 'internal',
  callers: ['notify'],
  body: VersionRequest,
  reply: CurrentVersion,
  errors: ['INGOT_NOT_FOUND'],
  repeatable: true,
});

/** Body of `endLink`. */
export class EndedLink {
  @IdOf('acc') account_id: string;
  @IdOf('vlt') vault_id: string;
  @IdOf('ing') ingot_id: string;
  @Text({ max: 36 }) link_id: string;
}

/** The wrap of the link is deleted. */
export class LinkEnded {
  // Optional: vaults of the previous release does not tell.
  @Flag({ optional: true, description: 'Whether forge has ended the downloads. false: it did not answer.' })
  are_downloads_ended?: boolean;
}

/** Deletes the wrap of a link and ends the downloads that were issued through it. Idempotent. */
export const endLink = operation({
  name: 'vaults.end-link',
  summary: 'Deletes the wrapped file key of a link.',
  access: 'internal',
  callers: ['sparks'],
  body: EndedLink,
  reply: LinkEnded,
  repeatable: true,
});

/** A link, durable or one-time, that was created after its ingot or its sharing had ended. */
export class OrphanedLink {
  @IdOf('acc') account_id: string;
  @IdOf('vlt') vault_id: string;
  @IdOf('ing') ingot_id: string;
  @Text({ max: 36 }) link_id: string;
  @Flag({ description: 'The ingot is deleted, not only its sharing.' }) is_ingot_gone: boolean;
}

/** The link can never be opened: sparks ends it. */
export const linkOrphaned = event({
  name: 'vaults.link-orphaned',
  payload: OrphanedLink,
  consumers: ['sparks'],
});

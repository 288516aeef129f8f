import { event } from '../core/event.js';
import { EpochSeconds, IdOf, Int, OneOf, Pattern, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { SealedHash, SizedVersion, VersionRef } from '../vaults/version.js';

/** Seconds without use after which a streaming ISTK expires unless it was admitted for longer (FRG-27). */
export const STREAM_IDLE_SECONDS = 3_600;

const LOOKUP = /^[A-Za-z0-9_-]{43}$/;
const WRAPPED_KEY = /^[A-Za-z0-9_-]{172}$/;

/**
 * A transfer and its ISTK (Ingot Secure Transaction Key), as forge stores it: found by the hash of the token, and its
 * file key unwrapped by the token alone. Forge receives the token only with the transfer's requests.
 */
export class Transfer extends VersionRef {
  @Pattern(LOOKUP, { says: '32 bytes in base64url' }) lookup: string;
  @Pattern(WRAPPED_KEY, {
    says: '129 bytes in base64url',
    description: 'The file key, wrapped under the ISTK.',
  })
  wrapped_key: string;
  @OneOf(['encrypt', 'decrypt']) operation: 'encrypt' | 'decrypt';
  @OneOf(['once', 'stream']) mode: 'once' | 'stream';
  @Int({ min: 1, description: 'Most bytes that the ISTK may transfer; authenticated by the wrap.' })
  bytes_max: number;
  @EpochSeconds({ description: 'Absolute expiry of the ISTK; authenticated by the wrap.' })
  expires_at: number;
  // Optional: vaults of the previous release does not send it, and forge of that release does not know it.
  @Int({
    min: STREAM_IDLE_SECONDS,
    optional: true,
    description: 'Streams only: seconds that it lasts unused from its admission; an hour by default.',
  })
  idle_seconds?: number;
  @Int({ min: 1, description: 'Bytes of the content; for an upload the announced bytes.' })
  size_bytes: number;
  @Text({ max: 255 }) content_type: string;
  @Text({ max: 255, description: 'The file name of a download.' }) filename: string;
  @Text({
    max: 40,
    nullable: true,
    description: 'The delegated key behind the Vault Access Token of the caller, or the link of a download.',
  })
  dvak_id: string | null;
  // Optional: vaults of the previous release does not send it.
  @IdOf('usr', {
    optional: true,
    nullable: true,
    description: 'The user who asked for the transfer, whose removal ends it; null for an API key or a link.',
  })
  user_id?: string | null;
  @Int({
    min: 0,
    nullable: true,
    description:
      'The seal epoch of the vault: a later seal ends a download, but no upload; null: no seal ends it.',
  })
  seal_epoch: number | null;
}

/** Forge accepts the ISTK from now on. */
export class TransferAdmitted {}

/** Registers the ISTK of a transfer. Idempotent. */
export const admitTransfer = operation({
  name: 'forge.admit-transfer',
  summary: 'Allows the bearer of an ISTK to upload or download one version of an ingot.',
  access: 'internal',
  callers: ['vaults'],
  body: Transfer,
  reply: TransferAdmitted,
  repeatable: true,
});

/** Body of `revokeTransfers`. */
export class TransferRevocation {
  @IdOf('vlt') vault_id: string;
  // `dvak` is a wire value: forge of the previous release would refuse another name. It carries ids of links too.
  @OneOf(['seal', 'dvak', 'version', 'ingot', 'vault'], {
    description:
      'seal: downloads issued before this seal; dvak: downloads and unused uploads issued through this delegated key or link; ' +
      'version: the upload of a dropped version; ingot, vault: all transfers and the stored bytes.',
  })
  scope: 'seal' | 'dvak' | 'version' | 'ingot' | 'vault';
  @Int({ min: 0, nullable: true, description: 'Scope seal: the epoch that starts with the seal.' })
  seal_epoch: number | null;
  @Text({
    max: 40,
    nullable: true,
    description: 'The delegated key, link, version or ingot; null for seal and vault.',
  })
  subject_id: string | null;
}

/** The transfers have ended. */
export class TransfersRevoked {
  @Int({ min: 0, description: 'Number of ISTKs that this call ended.' }) count: number;
}

/**
 * Ends transfers before the calling service answers its own caller. The event of the same change ends them too, so a
 * failed call delays the end only. Running downloads end within 8 MiB.
 */
export const revokeTransfers = operation({
  name: 'forge.revoke-transfers',
  summary:
    'Ends the ISTKs of transfers that are no longer allowed; a seal ends downloads only, and a running upload may finish.',
  access: 'internal',
  callers: ['vaults'],
  body: TransferRevocation,
  reply: TransfersRevoked,
  repeatable: true,
});

/** Payload of `uploadFinalized`. */
export class FinalizedUpload extends SizedVersion {
  @SealedHash() sealed_hash?: string | null;
}

/** Payload of `uploadEnded`. */
export class UploadEnd extends VersionRef {
  @Int({ min: 0, description: 'Bytes of the complete chunks that were received before the end.' })
  received_bytes: number;
  @OneOf(['cancelled', 'expired', 'dropped'], {
    description:
      'cancelled: by the uploader; expired: by time; dropped: because the version was dropped, or the unused URL revoked.',
  })
  reason: 'cancelled' | 'expired' | 'dropped';
}

/** Payload of `bytesSent`. */
export class SentBytes extends VersionRef {
  @Int({ min: 0 }) bytes: number;
  @Int({ min: 0, description: '1 in the first event of an ISTK, else 0.' }) downloads: number;
}

/** Payload of `bytesDiscarded`. */
export class DiscardedChunk extends VersionRef {
  @Int({ min: 1 }) bytes: number;
}

/** All bytes are stored and encrypted. `size_bytes` is the received size and draws bandwidth. */
export const uploadFinalized = event({
  name: 'forge.upload-finalized',
  payload: FinalizedUpload,
  consumers: ['vaults', 'reporting'],
});

/** The upload will never complete. Its received bytes draw bandwidth nevertheless (FRG-16). */
export const uploadEnded = event({
  name: 'forge.upload-ended',
  payload: UploadEnd,
  consumers: ['vaults', 'reporting'],
});

/** Bytes that a download has sent since the previous event of the same ISTK. */
export const bytesSent = event({
  name: 'forge.bytes-sent',
  payload: SentBytes,
  consumers: ['vaults', 'reporting'],
});

/**
 * Bytes of a chunk that were received and not stored: it lost a race, had another length, or was cut off. They draw
 * bandwidth; the upload goes on.
 */
export const bytesDiscarded = event({
  name: 'forge.bytes-discarded',
  payload: DiscardedChunk,
  consumers: ['vaults', 'reporting'],
});

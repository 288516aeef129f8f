import { EpochSeconds, IdOf, Int, OneOf, Pattern, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { VersionRef } from '../vaults/version.js';

/** Seconds that a streaming ISTK lives on after each use of it (FRG-28). */
export const STREAM_IDLE_SECONDS = 3_600;

const LOOKUP = /^[A-Za-z0-9_-]{43}$/;
const WRAPPED_KEY = /^[A-Za-z0-9_-]{172}$/;

/**
 * One ISTK as forge keeps it: found by the hash of the token, opened by the token alone. Whoever minted it has the
 * token; forge sees it when its bearer comes.
 */
export class Transfer extends VersionRef {
  @Pattern(LOOKUP, { says: '32 bytes in base64url' }) lookup: string;
  @Pattern(WRAPPED_KEY, {
    says: '129 bytes in base64url',
    description: "The file's key, wrapped under the ISTK.",
  })
  wrapped_key: string;
  @OneOf(['encrypt', 'decrypt']) operation: 'encrypt' | 'decrypt';
  @OneOf(['once', 'stream']) mode: 'once' | 'stream';
  @Int({ min: 1, description: 'Bytes that it may move at most; authenticated by the wrap.' })
  bytes_max: number;
  @EpochSeconds({ description: 'Its end, however it is used; authenticated by the wrap.' })
  expires_at: number;
  @Int({ min: 1, description: 'Bytes of the content, of an upload those announced.' }) size_bytes: number;
  @Text({ max: 255 }) content_type: string;
  @Text({ max: 255, description: 'The name that a download is saved under.' }) filename: string;
  @Text({ max: 40, nullable: true, description: 'The delegated key behind the access token that minted it.' })
  dvak_id: string | null;
  @Int({ min: 0, nullable: true, description: "The vault's seals at that moment; null: no seal ends it." })
  seal_epoch: number | null;
}

export class TransferAdmitted {}

/** Lets the bearer of an ISTK in. The same one twice is admitted once. */
export const admitTransfer = operation({
  name: 'forge.admit-transfer',
  summary: 'Lets the bearer of an ISTK move the bytes of one version of an ingot.',
  access: 'internal',
  body: Transfer,
  reply: TransferAdmitted,
  repeatable: true,
});

/** Which transfers end. */
export class TransferRevocation {
  @IdOf('vlt') vault_id: string;
  @OneOf(['seal', 'dvak', 'version', 'ingot', 'vault'], {
    description:
      'seal: downloads minted before this seal; dvak: downloads given out through this delegated key or link; version: the upload of a version ' +
      'that nobody waits for; ingot, vault: everything, bytes included.',
  })
  scope: 'seal' | 'dvak' | 'version' | 'ingot' | 'vault';
  @Int({ min: 0, nullable: true, description: 'Of a seal: the epoch that begins with it.' }) seal_epoch:
    number | null;
  @Text({ max: 40, nullable: true, description: 'The dvak, version or ingot; null for seal and vault.' })
  subject_id: string | null;
}

export class TransfersRevoked {
  @Int({ min: 0, description: 'ISTKs that this call has ended.' }) count: number;
}

/**
 * Ends transfers before the caller answers; the event of the same change ends them too, should this not arrive.
 * Running downloads end within 8 MiB.
 */
export const revokeTransfers = operation({
  name: 'forge.revoke-transfers',
  summary: 'Ends ISTKs that should no longer open anything.',
  access: 'internal',
  body: TransferRevocation,
  reply: TransfersRevoked,
  repeatable: true,
});

import { AppError, validationError } from '@vaultsvc/contracts';
import { SPARK_PAYLOAD_BYTES_MAX } from '@vaultsvc/contracts/sparks';
import { decodeBase64 } from '@vaultsvc/crypto/encoding';
import { isLinkDestination } from '../link/link-destination.js';
import { kindOf, type ContentKind } from './content-type.js';

export interface Content {
  readonly kind: ContentKind;
  /** What is sealed. Whoever takes it fills it with 0 when done. */
  readonly bytes: Buffer;
}

/**
 * The content that a payload stands for. 413 over 256,000 bytes of the payload as it was sent (UTF-8, or the base64
 * text), 400 where it is not what its content type says.
 */
export function readContent(payload: string, contentType: string): Content {
  const kind = kindOf(contentType);
  if (Buffer.byteLength(payload) > SPARK_PAYLOAD_BYTES_MAX) {
    throw new AppError('PAYLOAD_TOO_LARGE', { bytes_max: SPARK_PAYLOAD_BYTES_MAX });
  }
  return { kind, bytes: kind === 'binary' ? decoded(payload) : textOf(kind, payload) };
}

/** The payload as its reader receives it: unchanged text, or base64 (SPK-26). */
export function writePayload(bytes: Buffer, contentType: string): string {
  return bytes.toString(kindOf(contentType) === 'binary' ? 'base64' : 'utf8');
}

function decoded(payload: string): Buffer {
  const bytes = decodeBase64(payload);
  if (!bytes)
    throw validationError({ field: 'payload', message: 'payload must be base64 for this content_type' });
  return bytes;
}

function textOf(kind: ContentKind, payload: string): Buffer {
  if (kind === 'link' && !isLinkDestination(payload)) {
    throw validationError({
      field: 'payload',
      message: 'payload must be one http or https URL of at most 2,048 characters',
    });
  }
  return Buffer.from(payload, 'utf8');
}

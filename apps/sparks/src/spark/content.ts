import { AppError, validationError } from '@vaultsvc/contracts';
import { SPARK_PAYLOAD_BYTES_MAX } from '@vaultsvc/contracts/sparks';
import { decodeBase64 } from '@vaultsvc/crypto/encoding';

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

const URL_CHARACTERS_MAX = 2_048;

/**
 * Space and controls: WHATWG's parser drops some of them silently, so a text could be one URL to us and another,
 * or two, to its reader. U+FEFF and U+2028/2029 are refused with them.
 */
const UNSAFE = /[\p{Cc}\u0020\u00a0\u2028\u2029\ufeff]/u;

/** Two slashes and a plain authority: the parser would also forgive other numbers of slashes, and backslashes. */
const PLAIN_AUTHORITY = /^https?:\/\/[^/\\?#@]+(?:[/?#]|$)/i;

/** Of a parsed URL: a domain (in its ASCII form), an IPv4 or a bracketed IPv6 address; no comma, no quote. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/** Exactly one http or https URL as the WHATWG standard reads it, without credentials, of at most 2,048 characters. */
export function isLinkDestination(text: string): boolean {
  if (text.length > URL_CHARACTERS_MAX || UNSAFE.test(text) || !PLAIN_AUTHORITY.test(text)) return false;
  return URL.canParse(text) && HOST.test(new URL(text).hostname);
}

const LINK_TYPE = 'text/uri-list';
const TEXT_TYPE = /^(?:text\/.+|application\/(?:json|xml|javascript)|.+\+(?:json|xml))$/;

export type ContentKind = 'text' | 'binary' | 'link';

/** How a payload of this media type is written (SPK-05, SPK-06). Case and parameters do not matter (RFC 9110 8.3.1). */
export function kindOf(contentType: string): ContentKind {
  const essence = (contentType.split(';', 1)[0] as string).trim().toLowerCase();
  if (essence === LINK_TYPE) return 'link';
  return TEXT_TYPE.test(essence) ? 'text' : 'binary';
}

import { payloadTooLarge, validationError } from '@vaultsvc/contracts';
import { SPARK_PAYLOAD_BYTES_MAX } from '@vaultsvc/contracts/sparks';
import { decodeBase64 } from '@vaultsvc/crypto/encoding';

export interface Content {
  readonly kind: ContentKind;
  /** The content to seal; the caller wipes it. */
  readonly bytes: Buffer;
}

/**
 * Decodes a payload. 413 over 256,000 bytes of the payload as sent (UTF-8, or the base64 text), 400 when it does not
 * match its content type.
 */
export function readContent(payload: string, contentType: string): Content {
  const kind = kindOf(contentType);
  if (Buffer.byteLength(payload) > SPARK_PAYLOAD_BYTES_MAX) {
    throw payloadTooLarge('payload', SPARK_PAYLOAD_BYTES_MAX);
  }
  return { kind, bytes: kind === 'binary' ? decoded(payload) : textOf(kind, payload) };
}

/** The payload of the response: unchanged text, or base64 (SPK-26). */
export function writePayload(bytes: Buffer, contentType: string): string {
  return bytes.toString(kindOf(contentType) === 'binary' ? 'base64' : 'utf8');
}

function decoded(payload: string): Buffer {
  const bytes = decodeBase64(payload);
  if (!bytes)
    throw validationError({
      field: 'payload',
      message: `payload must be base64 for this content_type${problemOf(payload)}`,
    });
  return bytes;
}

/** What encoders do that others do not expect: MIME's breaks lines, and that of URLs has other characters and no padding. */
function problemOf(payload: string): string {
  if (/\s/.test(payload)) return ', without line breaks or spaces';
  if (/[-_]/.test(payload)) return ', with + and /, not - and _';
  return payload.length % 4 === 0 ? '' : ', padded with =';
}

function textOf(kind: ContentKind, payload: string): Buffer {
  if (kind === 'link' && !isLinkDestination(payload)) {
    throw validationError({
      field: 'payload',
      message: 'payload must be one http or https URL, without credentials or blanks',
    });
  }
  return Buffer.from(payload, 'utf8');
}

/**
 * Spaces and control characters. WHATWG's parser drops some of them silently, so that this service and a browser could
 * read different URLs in one text. U+FEFF and U+2028/2029 are rejected for the same reason.
 */
const UNSAFE = /[\p{Cc}\u0020\u00a0\u2028\u2029\ufeff]/u;

/**
 * Exactly two slashes and a plain authority: the parser also accepts backslashes and other numbers of slashes. The authority
 * is bounded, because the time of the conversion to ASCII grows with its square; the path is bounded as payload (SPK-01).
 */
const PLAIN_AUTHORITY = /^https?:\/\/[^/\\?#@]{1,2048}(?:[/?#]|$)/i;

/** The host of a parsed URL: an ASCII domain, an IPv4 address or a bracketed IPv6 address; no comma, no quote. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/** Exactly one http or https URL as the WHATWG standard reads it, without credentials. */
export function isLinkDestination(text: string): boolean {
  if (UNSAFE.test(text) || !PLAIN_AUTHORITY.test(text)) return false;
  return URL.canParse(text) && HOST.test(new URL(text).hostname);
}

const LINK_TYPE = 'text/uri-list';
const TEXT_TYPE = /^(?:text\/.+|application\/(?:json|xml|javascript)|.+\+(?:json|xml))$/;

export type ContentKind = 'text' | 'binary' | 'link';

/** The payload encoding of a media type (SPK-05, SPK-06). Case and parameters are ignored (RFC 9110 8.3.1). */
export function kindOf(contentType: string): ContentKind {
  const essence = (contentType.split(';', 1)[0] as string).trim().toLowerCase();
  if (essence === LINK_TYPE) return 'link';
  return TEXT_TYPE.test(essence) ? 'text' : 'binary';
}

import type { IncomingMessage } from 'node:http';
import { TUS_RESUMABLE } from '@tus/utils';
import { AppError, validationError } from '@vaultsvc/contracts';
import { INGOT_BYTES_MAX } from '@vaultsvc/contracts/vaults';
import { assertNotEncoded, assertSingleHeader } from '@vaultsvc/http';
import type { ForgeExchange } from '../exchange/forge-exchange.js';
import { TUS_VERSIONS } from './protocol.js';

const CHUNK_TYPE = 'application/offset+octet-stream';
const DIGITS = /^\d{1,16}$/;

/**
 * Throws 412, with Tus-Version, for another version of the protocol (OPEN-14). The header is optional in HEAD and DELETE
 * (FRG-04), which mean the same in every version.
 */
export function assertTusVersion({ request, response }: ForgeExchange, { isOptional = false } = {}): void {
  const version = request.headers['tus-resumable'];
  if (version === TUS_RESUMABLE || (version === undefined && isOptional)) return;
  response.setHeader('Tus-Version', TUS_VERSIONS);
  throw new AppError('TUS_VERSION_UNSUPPORTED');
}

/** The length of a new upload: 1 byte to 5 TiB. Refuses headers of extensions that would make it another length. */
export function uploadLengthOf({ headers }: IncomingMessage): number {
  for (const field of ['Upload-Defer-Length', 'Upload-Concat']) {
    if (headers[field.toLowerCase()] !== undefined) throw invalid(field, 'must be absent: it is not offered');
  }
  const bytes = integerIn(headers['upload-length']);
  if (bytes !== undefined && bytes >= 1 && bytes <= INGOT_BYTES_MAX) return bytes;
  throw invalid('Upload-Length', `must be an integer from 1 to ${INGOT_BYTES_MAX}`);
}

/** The offset of a chunk, not yet compared with that of the upload. */
export function chunkOffsetOf(request: IncomingMessage): number {
  assertChunkType(request);
  const offset = integerIn(request.headers['upload-offset']);
  if (offset !== undefined) return offset;
  throw invalid('Upload-Offset', 'must be an integer of 0 or more');
}

/** Media types are case-insensitive (RFC 9110, 8.3.1). */
function assertChunkType(request: IncomingMessage): void {
  assertSingleHeader(request, 'Content-Type');
  const type = request.headers['content-type']?.toLowerCase();
  if (type !== CHUNK_TYPE) throw invalid('Content-Type', `must be ${CHUNK_TYPE}`);
  assertNotEncoded(request);
}

/** Refuses a wrong Content-Length before the body is read; without the header the bytes are counted later. */
export function assertChunkLength({ headers }: IncomingMessage, bytes: number): void {
  const declared = headers['content-length'];
  if (declared !== undefined && Number(declared) !== bytes) throw wrongChunkLength(bytes);
}

export function wrongChunkLength(bytes: number): AppError {
  return invalid('Content-Length', `must be ${bytes}, the whole of the next chunk`);
}

function invalid(field: string, message: string): AppError {
  return validationError({ field, message });
}

/** Digits only, as in RFC 9110; a header that was given twice reads `1, 1` and is invalid. */
function integerIn(text: string | string[] | undefined): number | undefined {
  return typeof text === 'string' && DIGITS.test(text) ? Number(text) : undefined;
}

const METHODS = new Set(['PATCH', 'DELETE', 'HEAD', 'POST']);

/**
 * Replaces the method of a POST by that of X-HTTP-Method-Override, for clients behind proxies that block PATCH and DELETE
 * (tus 1.0.0). As in tusd it is ignored on other methods: a proxy may repeat a GET or a HEAD, and neither may write. Must
 * be called before any code reads the method.
 */
export function applyMethodOverride(request: IncomingMessage): void {
  const method = request.headers['x-http-method-override'];
  if (request.method !== 'POST' || method === undefined) return;
  if (typeof method !== 'string' || !METHODS.has(method)) throw unknownMethod();
  request.method = method;
}

function unknownMethod(): Error {
  const message = `must be one of ${[...METHODS].join(', ')}, in capitals and once`;
  return validationError({ field: 'X-HTTP-Method-Override', message });
}

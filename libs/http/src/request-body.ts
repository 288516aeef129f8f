import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, assertStructure, payloadTooLarge, validationError } from '@vaultsvc/contracts';
import { readInTurns } from './reading-turns.js';
import { assertSingleHeader } from './request-head.js';

/** The caller's connection is closed, or is being cut off: no response can be sent. */
export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed';
}

/** Sends "100 Continue" to a caller that waits for it (RFC 9110, 10.1.1); HTTP/1.0 does not have it. */
export function sendContinue({ headers, httpVersion }: IncomingMessage, response: ServerResponse): void {
  if (headers.expect?.toLowerCase() === '100-continue' && httpVersion === '1.1') response.writeContinue();
}

/**
 * Reads the whole body. Rejects with PAYLOAD_TOO_LARGE beyond `bytesMax`, by the declared length before a byte is read
 * and by the counted length while reading (OPEN-06), and with ConnectionClosed. "100 Continue" is sent once the declared
 * length is accepted; `sendResponse` discards the rest of a refused body. `reserve` is called with the declared length
 * before a byte is read, without one with the length of each part; what it throws refuses the body.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  bytesMax: number,
  reserve: (bytes: number) => void = () => undefined,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const declared = Number(request.headers['content-length'] ?? 0);
    if (declared > bytesMax) throw payloadTooLarge('body', bytesMax);
    if (request.destroyed) throw new ConnectionClosed('the caller closed the connection');
    reserve(declared);
    sendContinue(request, response);
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (act: () => void) => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      act();
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      try {
        if (bytes > bytesMax) throw payloadTooLarge('body', bytesMax);
        if (bytes > declared) reserve(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        settle(() => reject(error as Error));
      }
    };
    const onEnd = () =>
      settle(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, bytes)));
    const onClose = () => settle(() => reject(new ConnectionClosed('the caller closed the connection')));
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
    readInTurns(request);
  });
}

/** `utf8` is no registered name of a charset, but one that HTTP clients send. */
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*(?:charset\s*=\s*(["']?)utf-?8\1\s*)?)?$/i;
const JSON_WITH_CHARSET = /^application\/(?:[\w.+-]+\+)?json\s*;\s*charset\s*=/i;

/** Throws VALIDATION_ERROR unless the body is declared as uncompressed JSON in UTF-8, or has no declared type. */
export function assertJsonContentType(request: IncomingMessage): void {
  const type = request.headers['content-type'];
  assertSingleHeader(request, 'Content-Type');
  if (type !== undefined && !JSON_TYPE.test(type)) {
    const message = JSON_WITH_CHARSET.test(type)
      ? 'must have no charset but utf-8'
      : 'must be application/json';
    throw validationError({ field: 'Content-Type', message });
  }
  assertNotEncoded(request);
}

/** Throws VALIDATION_ERROR for a body with a content encoding, which would be read as if it had none. */
export function assertNotEncoded({ headers: { 'content-encoding': encoding } }: IncomingMessage): void {
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  throw validationError({ field: 'Content-Encoding', message: 'must be absent: bodies are not compressed' });
}

/** 32 levels of a value of a structured ingot, and the two of the body around it. */
const DEPTH_MAX = 34;

/** Fatal: bytes that are not UTF-8 are refused, not replaced. A byte order mark is not JSON (RFC 8259, section 8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The value of a JSON text. Throws MALFORMED_JSON, and VALIDATION_ERROR beyond 34 levels, which no contract has, and beyond
 * `structuralCharactersMax` before the text is parsed.
 */
export function parseJson(bytes: Uint8Array, structuralCharactersMax?: number): unknown {
  assertStructure(bytes, structuralCharactersMax);
  const value = parse(bytes);
  if (isDeeperThan(value, DEPTH_MAX))
    throw validationError({ field: '', message: `must be at most ${DEPTH_MAX} levels deep` });
  return value;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes)) as unknown;
  } catch {
    // The parser's own message quotes the body, which may hold a secret.
    throw new AppError('MALFORMED_JSON');
  }
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  // Not `for…in`, which makes a string of every index: a million small numbers would block the event loop.
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (let i = 0; i < members.length; i += 1) {
    if (isDeeperThan(members[i], levels - 1)) return true;
  }
  return false;
}

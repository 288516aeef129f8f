import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import {
  AppError,
  BODY_BYTES_MAX,
  decode,
  decodeQuery,
  providerHeaders,
  validationError,
  type Provider,
  type PublicOperation,
  type SignedRequest,
} from '@vaultsvc/contracts';
import { assertJsonContentType, parseJson, readBody } from '@vaultsvc/http';
import type { BodyReservation } from './body-budget.js';

const NO_BODY = Buffer.alloc(0);

/** The bytes of the body, which are forwarded, and their parsed value, which is validated. */
export interface Body {
  readonly bytes: Buffer;
  readonly value: unknown;
}

/** Largest body in bytes that is read before the VAT of its call is checked (AMB-13). */
const BYTES_BEFORE_VAT_MAX = 256 * 1_024;

/**
 * Whether the VAT of an operation is checked before its body is read: a body that may be long costs memory (AMB-13). It cannot
 * be where the body names the vault.
 */
export function isVatBeforeBody({ access, body, bodyBytesMax = BODY_BYTES_MAX }: PublicOperation): boolean {
  const isVatInPath = access.vat !== undefined && access.vatOf === undefined;
  return isVatInPath && body !== undefined && bodyBytesMax > BYTES_BEFORE_VAT_MAX;
}

/** Reads and parses the body of an operation that has one: 413, 429, then 400 (AMB-13). An empty body stands for `{}`. */
export async function receiveBody(
  op: PublicOperation,
  request: IncomingMessage,
  response: ServerResponse,
  reservation: BodyReservation,
): Promise<Body> {
  const isRaw = op.access.provider !== undefined;
  if (!op.body && !isRaw) return { bytes: NO_BODY, value: undefined };
  const { bodyBytesMax = BODY_BYTES_MAX } = op;
  const bytes = await readBody(request, response, bodyBytesMax, (more) => reservation.add(more));
  // A provider's signature covers the raw bytes, so the service that verifies it also parses them (TRAP 91).
  if (isRaw) return { bytes, value: undefined };
  if (bytes.length === 0) return { bytes, value: {} };
  assertJsonContentType(request);
  return { bytes, value: parseJson(bytes, op.structuralCharactersMax) };
}

/** Throws VALIDATION_ERROR for a body that does not fit the contract. */
export function assertBody(op: PublicOperation, { value }: Body): void {
  if (op.body && !op.access.provider) decode(op.body, value);
}

/** URLSearchParams replaces bytes that are not UTF-8, which would change the query, so they are refused (RFC 3986, 2.5). */
export function parseQuery(op: PublicOperation, text: string): URLSearchParams {
  if (op.query) assertDecodable(text);
  return new URLSearchParams(text);
}

function assertDecodable(text: string): void {
  try {
    decodeURIComponent(text);
  } catch {
    throw validationError({ field: '', message: 'the query must be percent-encoded UTF-8; a % is %25' });
  }
}

/** The query as the contract declares it. Throws VALIDATION_ERROR. */
export function readQuery(op: PublicOperation, query: URLSearchParams): object | undefined {
  return op.query && decodeQuery(op.query, query);
}

/** Ends a call as an empty success: the response to an unknown id, and so to a malformed one (DELETE Spark, OPEN-55). */
export class EmptySuccess extends Error {
  override readonly name = 'EmptySuccess';
}

/** A malformed id gets the response of an unknown one: a different one would reveal which ids exist (OPEN-55). */
export function readParams(
  op: PublicOperation,
  values: Readonly<Record<string, string | undefined>>,
): object | undefined {
  if (!op.params) return undefined;
  try {
    return decode(op.params, values);
  } catch (error) {
    if (op.unknown === 'no-content') throw new EmptySuccess();
    throw new AppError(op.unknown ?? 'NOT_FOUND', undefined, { cause: error });
  }
}

/** What a provider signed besides the body: the target, and its headers. The listener refuses a second Authorization. */
export function signedRequestOf(provider: Provider, { url, headers }: IncomingMessage): SignedRequest {
  const given = providerHeaders[provider].map((name) => [name, headers[name]]);
  const present = given.filter((header): header is [string, string] => typeof header[1] === 'string');
  return { target: url ?? '', headers: Object.fromEntries(present) };
}

const USER_AGENT_CHARACTERS_MAX = 256;

/** C0 and C1 controls; Node reads header bytes as Latin-1. */
const CONTROLS = /\p{Cc}/gu;

/** The caller's user agent for the audit trail, without control characters; null when nothing is left. */
export function userAgentOf({ 'user-agent': text = '' }: IncomingHttpHeaders): string | null {
  return text.replace(CONTROLS, '').slice(0, USER_AGENT_CHARACTERS_MAX) || null;
}

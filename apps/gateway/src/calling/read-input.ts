import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, decode, decodeQuery, validationError, type PublicOperation } from '@vaultsvc/contracts';
import { assertJsonBody, parseJson, readBody } from '@vaultsvc/http';

/** OPEN-06. */
const BODY_BYTES_MAX = 2 * 1_024 * 1_024;
const NO_BODY = Buffer.alloc(0);

/** The bytes as they came, which travel on, and their value, which is checked. */
export interface Body {
  readonly bytes: Buffer;
  readonly value: unknown;
}

/** Reads and parses the body of an operation that has one: 413, then 400 (AMB-13). An empty body stands for `{}`. */
export async function receiveBody(
  op: PublicOperation,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Body> {
  const isRaw = op.access.credential === 'provider';
  if (!op.body && !isRaw) return { bytes: NO_BODY, value: undefined };
  const bytes = await readBody(request, response, op.bodyBytesMax ?? BODY_BYTES_MAX);
  // A signature covers the bytes as they came; whoever verifies it also parses (TRAP 91).
  if (isRaw) return { bytes, value: undefined };
  if (bytes.length === 0) return { bytes, value: {} };
  assertJsonBody(request);
  return { bytes, value: parseJson(bytes) };
}

export function assertBody(op: PublicOperation, { value }: Body): void {
  if (op.body && op.access.credential !== 'provider') decode(op.body, value);
}

/** Parsed alone, text that is not UTF-8 would become other text, and ask for something else (RFC 3986, 2.1 and 2.5). */
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

export function readQuery(op: PublicOperation, query: URLSearchParams): object | undefined {
  return op.query && decodeQuery(op.query, query);
}

/** Success without content: what a malformed id answers where an unknown one does (DELETE Spark, OPEN-55). */
export class NothingToDo extends Error {
  override readonly name = 'NothingToDo';
}

/** A malformed id answers as an unknown one does: to tell them apart would say which ids exist (OPEN-55). */
export function readParams(
  op: PublicOperation,
  values: Readonly<Record<string, string | undefined>>,
): object | undefined {
  if (!op.params) return undefined;
  try {
    return decode(op.params, values);
  } catch (error) {
    if (op.unknown === 'no-content') throw new NothingToDo();
    throw new AppError(op.unknown ?? 'NOT_FOUND', undefined, { cause: error });
  }
}

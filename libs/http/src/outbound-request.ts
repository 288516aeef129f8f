import { once } from 'node:events';
import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';

/** A request to a server that is not ours. */
export interface OutboundRequest {
  readonly url: URL;
  /** Default: POST. */
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** A form as the body, of `application/x-www-form-urlencoded` as token endpoints read it (RFC 6749, 4.1.3). */
  readonly form?: Readonly<Record<string, string>>;
  /** Limits the addresses that the host may resolve to: see `publicHost`. */
  readonly lookup?: LookupFunction | undefined;
  /** Milliseconds for the whole exchange. Default: 10 s. */
  readonly timeoutMs?: number | undefined;
  /** Ends the exchange earlier. */
  readonly signal?: AbortSignal;
  /** Most bytes of the reply's body that are read; 0 reads none. Default: 64 KiB. */
  readonly replyBytesMax?: number;
}

/** The reply, whatever its status. */
export interface OutboundReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The beginning of the body. */
  readonly body: string;
  /** Whether this is all of it: neither was it longer, nor did the connection break off. */
  readonly isComplete: boolean;
}

/** Whether the reply has a status of success (RFC 9110, 15.3). */
export function isSuccess({ status }: Pick<OutboundReply, 'status'>): boolean {
  return status >= 200 && status <= 299;
}

/** The members of a reply's JSON object; none for any other text, whose parser's error would quote it. */
export function membersOf({ body }: Pick<OutboundReply, 'body'>): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** There is no reply. */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure';

  /**
   * @param code `TIMEOUT`, `ECONNREFUSED` …: nothing of the address, which may be a secret
   * @param isSent whether the request was sent completely, so that it may have had its effect
   */
  constructor(
    readonly code: string,
    readonly isSent: boolean,
    options?: { cause?: unknown },
  ) {
    super(`no reply: ${code}`, options);
  }
}

const TIMEOUT_MS = 10_000;
const REPLY_BYTES_MAX = 64 * 1_024;

/**
 * Sends a request with limits of time and size. Redirects are not followed: they would carry credentials and content elsewhere. It
 * uses `node:https`, not `fetch`, because only that checks the addresses of a name and reports whether the request was sent. Each
 * request has its own connection, so that none is written to one that the server has just closed.
 * @throws OutboundFailure without a reply
 */
export async function sendOutbound(sent: OutboundRequest): Promise<OutboundReply> {
  const { url, replyBytesMax = REPLY_BYTES_MAX } = sent;
  const body = sent.form ? new URLSearchParams(sent.form).toString() : sent.body;
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, optionsOf(sent, body));
  request.on('error', ignore); // after the response: a server that answers early may close the connection
  let isSent = false;
  request.once('finish', () => (isSent = true));
  try {
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const { statusCode: status = 0, headers } = response;
    return { status, headers, ...(await beginningOf(response, replyBytesMax)) };
  } catch (error) {
    throw new OutboundFailure(failureCodeOf(error), isSent, { cause: error });
  }
}

function optionsOf(
  { method = 'POST', headers, form, lookup, timeoutMs = TIMEOUT_MS, signal }: OutboundRequest,
  body: string | Buffer | undefined,
) {
  const timeout = AbortSignal.timeout(timeoutMs);
  return {
    method,
    agent: false as const,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    headers: {
      ...headers,
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
    },
    ...(lookup && { lookup }),
  };
}

/** Reads as much of the body as arrives: the status alone may decide if the response breaks off. */
async function beginningOf(
  response: IncomingMessage,
  bytesMax: number,
): Promise<Pick<OutboundReply, 'body' | 'isComplete'>> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    if (bytesMax === 0) response.on('error', ignore).destroy();
    else
      for await (const part of response as AsyncIterable<Buffer>) {
        parts.push(part);
        bytes += part.length;
        if (bytes > bytesMax) break;
      }
  } catch {
    // The response broke off; the status is known.
  }
  const isComplete = response.complete && bytes <= bytesMax;
  return { body: Buffer.concat(parts).toString('utf8', 0, Math.min(bytes, bytesMax)), isComplete };
}

/** The code of a failed connection: `TIMEOUT`, `ECONNREFUSED`. */
export function failureCodeOf(error: unknown): string {
  const { name, code } = error as { name?: string; code?: unknown };
  if (name === 'AbortError' || name === 'TimeoutError') return 'TIMEOUT';
  return typeof code === 'string' ? code : 'UNKNOWN';
}

function ignore(): void {}

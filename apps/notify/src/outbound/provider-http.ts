import { once } from 'node:events';
import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { retryAfterMs } from '@vaultsvc/http';
import { ProviderFailure, type FailureFacts } from './provider-failure.js';

/** A POST to a provider. */
export interface ProviderRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** Limits the addresses that the host may resolve to. */
  readonly lookup?: LookupFunction | undefined;
  /** Milliseconds for the whole exchange; 10 s by default. */
  readonly timeoutMs?: number;
}

export interface ProviderReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Its beginning, at most 64 KiB. It may contain the address: only known codes in it may be kept. */
  readonly body: string;
}

const TIMEOUT_MS = 10_000;
const REPLY_BYTES_MAX = 64 * 1024;

/**
 * POSTs to a provider and returns its reply, whatever its status; redirects are not followed. It uses `node:https`, not
 * `fetch`, because only that reports whether the request was sent completely before it failed. Each message has its own
 * connection, so that none is written to one that the provider has just closed.
 * @throws ProviderFailure without a reply
 */
export async function postToProvider(sent: ProviderRequest): Promise<ProviderReply> {
  const { url, headers, body, lookup, timeoutMs = TIMEOUT_MS } = sent;
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method: 'POST',
    agent: false,
    signal: AbortSignal.timeout(timeoutMs),
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    ...(lookup && { lookup }),
  });
  request.on('error', () => {}); // after the response: a server that answers early may close the connection
  let isSent = false;
  request.once('finish', () => (isSent = true));
  try {
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, headers: response.headers, body: await beginningOf(response) };
  } catch (error) {
    throw new ProviderFailure(codeOf(error), { isAnswerLost: isSent });
  }
}

/** Reads as much of the body as arrives: the status alone decides if the response breaks off. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      bytes += part.length;
      if (bytes > REPLY_BYTES_MAX) break;
    }
  } catch {
    // The response broke off; the status is known.
  }
  return Buffer.concat(parts).toString('utf8', 0, REPLY_BYTES_MAX);
}

/** The code of a failed connection: `TIMEOUT`, `ECONNREFUSED`. */
export function codeOf(error: unknown): string {
  const { name, code } = error as { name?: string; code?: unknown };
  if (name === 'AbortError' || name === 'TimeoutError') return 'TIMEOUT';
  return typeof code === 'string' ? code : 'UNKNOWN';
}

export function isSuccess({ status }: ProviderReply): boolean {
  return status >= 200 && status <= 299;
}

/**
 * The failure of a reply without success, with the delay of its Retry-After.
 * @param detail a known code of the provider: never its text, which may contain the address
 */
export function refusal(
  { status, headers }: ProviderReply,
  facts: FailureFacts = {},
  detail?: string,
): ProviderFailure {
  const code = detail === undefined ? `HTTP ${status}` : `HTTP ${status} ${detail}`;
  return new ProviderFailure(code, {
    retryAfterMs: retryAfterMs(headers['retry-after'], Date.now()),
    ...facts,
  });
}

/**
 * Whether a status says that the same request would be rejected again: 4xx, except for those that ask for a later attempt
 * (408 Request Timeout, 425 Too Early, 429 Too Many Requests).
 */
export function isRejection(status: number): boolean {
  return status >= 400 && status <= 499 && ![408, 425, 429].includes(status);
}

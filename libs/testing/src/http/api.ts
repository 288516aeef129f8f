import { globalAgent } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import {
  decode,
  project,
  type CallInput,
  type Class,
  type Operation,
  type PublicSpec,
  type Reply,
} from '@vaultsvc/contracts';
import supertest from 'supertest';
import type { ApiResponse } from './api-response.js';
import { assertEnvelope, assertHeaders, assertRule } from './envelope-rules.js';
import { retryUncounted } from './rate-limit-retry.js';
import { send, type RawRequest, type RawResponse } from './send.js';
import { assertCookie } from './set-cookie.js';

export interface Credentials {
  readonly key?: string;
  readonly jwt?: string;
  /** Sent with every request, for example a Vault Access Token. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Api {
  /** Calls an operation. A success must match the contract: the status, no undeclared field, all declared checks. */
  call<S extends PublicSpec>(
    op: Operation<S>,
    input: CallInput<S>,
    headers?: Record<string, string>,
  ): Promise<ApiResponse<Reply<S>>>;
  /**
   * Sends any request and checks the common rules of its response. `bare`: expects JSON without an envelope (OPEN-56), or lines.
   */
  send(
    request: Omit<RawRequest, 'body'> & { body?: unknown; bare?: boolean | 'lines' },
  ): Promise<ApiResponse>;
}

/**
 * A client of the public API that checks each response: ENV-04, ENV-05, ENV-08, no ETag, no-store, X-Request-Id, no cookie
 * except the platform's. Refusals are responses, not exceptions.
 * @throws RuleViolation
 */
export function api(baseUrl: string, { key, jwt, headers: common }: Credentials = {}): Api {
  const credentials: Record<string, string> = {
    ...(key && { 'X-API-Key': key }),
    ...(jwt && { Authorization: `Bearer ${jwt}` }),
    ...common,
  };
  const transmit = (transport: Transport, { body, bare, headers, ...rest }: Parameters<Api['send']>[0]) => {
    const bytes =
      body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const type: Record<string, string> = bytes === undefined ? {} : { 'Content-Type': 'application/json' };
    const raw = { ...rest, headers: { ...type, ...credentials, ...headers }, body: bytes };
    return retryUncounted(async () => check(await transport(baseUrl, raw), rest.method, bare));
  };
  return {
    send: (request) => transmit(send, request),
    call: async (op, input, headers) => {
      const { params, query, body } = input as { params?: object; query?: object; body?: object };
      const { method, path, status } = op.http;
      const target = targetOf(path, params, query);
      const bare = op.parts ? 'lines' : op.bare;
      const response = await transmit(sendBySupertest, { method, target, headers, body, bare });
      if (response.error === undefined) assertReply(response, status, op.reply);
      return response as ApiResponse<never>;
    },
  };
}

type Transport = (baseUrl: string, request: RawRequest) => Promise<RawResponse>;

/** For calls of operations alone: superagent normalizes targets, closes connections without an agent and parses bodies. */
async function sendBySupertest(
  baseUrl: string,
  { method, target, headers = {}, body }: RawRequest,
): Promise<RawResponse> {
  const verb = method.toLowerCase() as 'get';
  const request = supertest(baseUrl)[verb](target);
  request
    .agent(globalAgent)
    .set(headers)
    .buffer(true)
    .parse((response, done) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => done(null, Buffer.concat(chunks)));
    });
  const { status, headers: received, body: bytes } = await request.send(body);
  return {
    status,
    headers: received as RawResponse['headers'],
    body: Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0),
  };
}

function check(response: RawResponse, method: string, bare: boolean | 'lines' = false): ApiResponse {
  assertHeaders(response);
  assertCookie(response);
  if (response.status === 204 || method === 'HEAD') {
    assertRule(response.body.length === 0, `${response.status} to ${method} has a body`);
    return response;
  }
  if (bare === 'lines' && response.status < 300) return response;
  if (bare && response.status < 300) return { ...response, data: JSON.parse(response.body.toString()) };
  return { ...response, ...assertEnvelope(response) };
}

function assertReply(
  { status, data }: ApiResponse,
  expected: number,
  reply: Class<object> | undefined,
): void {
  assertRule(status === expected, `status ${status} instead of ${expected}`);
  if (!reply || status === 204) return;
  assertRule(
    isDeepStrictEqual(project(reply, data), data),
    'the reply holds fields that its contract does not declare',
  );
  decode(reply, data);
}

function targetOf(path: string, params: object = {}, query: object = {}): string {
  const filled = Object.entries(params).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(String(value))),
    path,
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.append(name, String(value));
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}

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
import {
  assertEnvelope,
  assertHeaders,
  rule,
  type ErrorEnvelope,
  type SuccessEnvelope,
} from './envelope-rules.js';
import { untilCounted } from './plenty.js';
import { send, type RawAnswer, type RawRequest } from './send.js';
import { assertCookie } from './set-cookie.js';

export interface Credentials {
  readonly key?: string;
  readonly jwt?: string;
  /** Sent with every request, for example a Vault Access Token. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer that has kept every rule. `data` and `meta` of a success, `error` of a refusal. */
export interface Answer<T = unknown> extends RawAnswer {
  readonly data?: T;
  readonly error?: ErrorEnvelope['error'];
  readonly meta?: SuccessEnvelope['meta'] | ErrorEnvelope['meta'];
}

export interface Api {
  /** Calls an operation; its success must fit the contract: status, no undeclared field, every declared check. */
  call<S extends PublicSpec>(
    op: Operation<S>,
    input: CallInput<S>,
    headers?: Record<string, string>,
  ): Promise<Answer<Reply<S>>>;
  /** Sends anything; the answer is checked by the rules that hold for all. `bare`: no envelope expected (OPEN-56). */
  send(request: Omit<RawRequest, 'body'> & { body?: unknown; bare?: boolean }): Promise<Answer>;
}

/**
 * A client of the public API whose every answer is checked (ENV-04, ENV-05, ENV-08, no ETag, no-store, X-Request-Id,
 * no cookie but ours).
 * Throws BrokenRule; refusals are answers, not exceptions.
 */
export function api(baseUrl: string, { key, jwt, headers: always }: Credentials = {}): Api {
  const own: Record<string, string> = {
    ...(key && { 'X-API-Key': key }),
    ...(jwt && { Authorization: `Bearer ${jwt}` }),
    ...always,
  };
  const sendChecked: Api['send'] = async ({ body, bare, headers, ...rest }) => {
    const bytes =
      body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const type: Record<string, string> = bytes === undefined ? {} : { 'Content-Type': 'application/json' };
    const raw = { ...rest, headers: { ...type, ...own, ...headers }, body: bytes };
    return untilCounted(async () => check(await send(baseUrl, raw), rest.method, bare));
  };
  return {
    send: sendChecked,
    call: async (op, input, headers) => {
      const { params, query, body } = input as { params?: object; query?: object; body?: object };
      const { method, path, status } = op.http;
      const answer = await sendChecked({
        method,
        target: targetOf(path, params, query),
        headers,
        body,
        bare: op.bare,
      });
      if (answer.error === undefined) assertReply(answer, status, op.reply);
      return answer as Answer<never>;
    },
  };
}

function check(answer: RawAnswer, method: string, bare = false): Answer {
  assertHeaders(answer);
  assertCookie(answer);
  if (answer.status === 204 || method === 'HEAD') {
    rule(answer.body.length === 0, `${answer.status} to ${method} has a body`);
    return answer;
  }
  if (bare && answer.status < 300) return { ...answer, data: JSON.parse(answer.body.toString()) };
  return { ...answer, ...assertEnvelope(answer) };
}

function assertReply({ status, data }: Answer, expected: number, reply: Class<object> | undefined): void {
  rule(status === expected, `status ${status} instead of ${expected}`);
  if (!reply || status === 204) return;
  rule(
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

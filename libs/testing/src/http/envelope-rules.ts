import { errorReasons, errorStatus, isErrorReason, publicReason, type ErrorCode } from '@vaultsvc/contracts';
import type { RawResponse } from './send.js';

export interface SuccessEnvelope<T = unknown> {
  readonly data: T;
  readonly meta: {
    readonly api_version: string;
    readonly request_id: string;
    readonly response_ms: number;
    readonly timestamp: number;
    readonly quota?: {
      readonly limit: number;
      readonly used: number;
      readonly remaining: number;
      readonly resets_at: number;
    };
    readonly pools?: Readonly<
      Record<
        'storage' | 'bandwidth' | 'identity',
        { used: number; limit: number; pct: number; state: string; cycle_resets_at?: number }
      >
    >;
  };
}

export interface ErrorEnvelope {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
  readonly meta: { readonly api_version: string; readonly request_id: string };
}

/** A response violates a rule that holds for all responses. */
export class RuleViolation extends Error {
  override readonly name = 'RuleViolation';
}

export function assertRule(holds: boolean, message: string): asserts holds {
  if (!holds) throw new RuleViolation(message);
}

/** Checks the headers of every response: a request id, no ETag, no software name, nosniff, HSTS. */
export function assertHeaders({ headers }: RawResponse): void {
  assertRule(
    /^req_[0-9A-Za-z]{22}$/.test(String(headers['x-request-id'])),
    'X-Request-Id is missing or not ours',
  );
  assertRule(headers.etag === undefined, 'there is an ETag');
  assertRule(
    headers['x-powered-by'] === undefined && headers.server === undefined,
    'the server names its software',
  );
  assertRule(headers['x-content-type-options'] === 'nosniff', 'nosniff is missing');
  assertRule(headers['strict-transport-security'] !== undefined, 'HSTS is missing');
}

/** The second is the value of link pages. */
const NOT_STORED: ReadonlySet<string> = new Set(['no-store', 'no-store, private']);

/** ENV-04, ENV-05, ENV-08: checks the rules of envelopes and returns the parsed body. */
export function assertEnvelope({ status, headers, body }: RawResponse): SuccessEnvelope | ErrorEnvelope {
  assertRule(NOT_STORED.has(String(headers['cache-control'])), 'Cache-Control is not no-store');
  assertRule(
    headers['content-type'] === 'application/json; charset=utf-8',
    `Content-Type is ${headers['content-type']}`,
  );
  const envelope = JSON.parse(body.toString()) as SuccessEnvelope | ErrorEnvelope;
  assertRule(
    (status === 401) === /^Bearer realm="vaultsvc"/.test(headers['www-authenticate'] ?? ''),
    `${status} has WWW-Authenticate: ${headers['www-authenticate']}`,
  );
  if ('error' in envelope) assertError(status, envelope);
  else assertSuccess(status, envelope);
  assertRule(envelope.meta.request_id === headers['x-request-id'], 'meta.request_id is not X-Request-Id');
  assertRule(
    typeof envelope.meta.api_version === 'string' && envelope.meta.api_version !== '',
    'meta.api_version is missing',
  );
  return envelope;
}

function assertError(status: number, envelope: ErrorEnvelope): void {
  assertRule(hasOnly(envelope, ['error', 'meta']), 'an error response has members besides error and meta');
  assertRule(
    hasOnly(envelope.error, ['code', 'message', 'details']),
    'error has members besides code, message and details',
  );
  assertRule(
    hasOnly(envelope.meta, ['api_version', 'request_id']),
    "an error's meta has members besides version and id",
  );
  assertRule(errorStatus[envelope.error.code] === status, `${envelope.error.code} has status ${status}`);
  assertRule(envelope.error.message.length > 0, 'the error has no message');
  assertReason(envelope.error);
}

/** The public reason of each error of the table explains itself at its anchor of `/docs/errors`. */
function assertReason({ code, details = {} }: ErrorEnvelope['error']): void {
  const { reason, docs } = details;
  const isKnown = typeof reason === 'string' && isErrorReason(reason) && publicReason(reason) === reason;
  assertRule(isKnown && errorReasons[reason].code === code, `${code} has the reason ${String(reason)}`);
  assertRule(
    /^https?:\/\/[^/]+\/docs\/errors#/.test(String(docs)) && String(docs).endsWith(`#${reason}`),
    `the docs of ${reason} are ${String(docs)}`,
  );
}

function assertSuccess(status: number, envelope: SuccessEnvelope): void {
  const { meta } = envelope;
  assertRule(status >= 200 && status < 300, `data has status ${status}`);
  assertRule(
    hasOnly(envelope, ['data', 'meta']) && 'data' in envelope,
    'a success has members besides data and meta',
  );
  assertRule(
    hasOnly(meta, ['api_version', 'request_id', 'response_ms', 'timestamp', 'pools', 'quota']),
    'meta has unknown members',
  );
  assertRule(Number.isInteger(meta.response_ms) && meta.response_ms >= 0, 'response_ms is not an integer');
  assertRule(isEpochSeconds(meta.timestamp), 'timestamp is not in epoch seconds');
  assertTimes(envelope);
}

/** Each `*_at` is null or integral epoch seconds, at any depth. Chat's `installed_at` is ISO 8601 (AMB-34). */
function assertTimes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const isTime = name.endsWith('_at') && !(name === 'installed_at' && typeof member === 'string');
    assertRule(!isTime || member === null || isEpochSeconds(member), `${name} is not in epoch seconds`);
    assertTimes(member);
  }
}

function isEpochSeconds(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 1e11;
}

function hasOnly(value: object, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name));
}

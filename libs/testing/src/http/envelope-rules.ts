import { errorStatus, type ErrorCode } from '@vaultsvc/contracts';
import type { RawAnswer } from './send.js';

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

/** An answer breaks a rule that holds for all of them. */
export class BrokenRule extends Error {
  override readonly name = 'BrokenRule';
}

export function rule(holds: boolean, says: string): asserts holds {
  if (!holds) throw new BrokenRule(says);
}

/** What holds for the headers of every answer: unique id, nothing stored, nothing told about the server. */
export function assertHeaders({ headers }: RawAnswer): void {
  rule(/^req_[0-9A-Za-z]{22}$/.test(String(headers['x-request-id'])), 'X-Request-Id is missing or not ours');
  rule(headers.etag === undefined, 'there is an ETag');
  rule(
    headers['x-powered-by'] === undefined && headers.server === undefined,
    'the server names its software',
  );
  rule(headers['x-content-type-options'] === 'nosniff', 'nosniff is missing');
  rule(headers['strict-transport-security'] !== undefined, 'HSTS is missing');
}

/** The second is what link pages say. */
const NOT_KEPT: ReadonlySet<string> = new Set(['no-store', 'no-store, private']);

/** ENV-04, ENV-05, ENV-08: the parsed body of an enveloped answer that keeps all rules of envelopes. */
export function assertEnvelope({ status, headers, body }: RawAnswer): SuccessEnvelope | ErrorEnvelope {
  rule(NOT_KEPT.has(String(headers['cache-control'])), 'Cache-Control is not no-store');
  rule(
    headers['content-type'] === 'application/json; charset=utf-8',
    `Content-Type is ${headers['content-type']}`,
  );
  const envelope = JSON.parse(body.toString()) as SuccessEnvelope | ErrorEnvelope;
  if ('error' in envelope) assertError(status, envelope);
  else assertSuccess(status, envelope);
  rule(envelope.meta.request_id === headers['x-request-id'], 'meta.request_id is not X-Request-Id');
  rule(
    typeof envelope.meta.api_version === 'string' && envelope.meta.api_version !== '',
    'meta.api_version is missing',
  );
  return envelope;
}

function assertError(status: number, envelope: ErrorEnvelope): void {
  rule(hasOnly(envelope, ['error', 'meta']), 'an error answer holds more than error and meta');
  rule(
    hasOnly(envelope.error, ['code', 'message', 'details']),
    'error holds more than code, message, details',
  );
  rule(
    hasOnly(envelope.meta, ['api_version', 'request_id']),
    "an error's meta holds more than version and id",
  );
  rule(errorStatus[envelope.error.code] === status, `${envelope.error.code} has status ${status}`);
  rule(envelope.error.message.length > 0, 'the error has no message');
}

function assertSuccess(status: number, envelope: SuccessEnvelope): void {
  const { meta } = envelope;
  rule(status >= 200 && status < 300, `data has status ${status}`);
  rule(hasOnly(envelope, ['data', 'meta']) && 'data' in envelope, 'a success holds other than data and meta');
  rule(
    hasOnly(meta, ['api_version', 'request_id', 'response_ms', 'timestamp', 'pools', 'quota']),
    'meta holds unknown members',
  );
  rule(Number.isInteger(meta.response_ms) && meta.response_ms >= 0, 'response_ms is no whole number');
  rule(isEpochSeconds(meta.timestamp), 'timestamp is not in epoch seconds');
  assertTimes(envelope);
}

/** Every `*_at` is null or whole epoch seconds, at every depth. Chat's `installed_at` is ISO 8601 (AMB-34). */
function assertTimes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const isTime = name.endsWith('_at') && !(name === 'installed_at' && typeof member === 'string');
    rule(!isTime || member === null || isEpochSeconds(member), `${name} is not in epoch seconds`);
    assertTimes(member);
  }
}

function isEpochSeconds(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 1e11;
}

function hasOnly(value: object, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name));
}

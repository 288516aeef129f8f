import { Histogram } from 'prom-client';
import { credentialRecordName, USES_TTL_SECONDS, type CredentialRecord } from './credential-cache.js';
import { addressCounter, COUNT_IN_WINDOW, type FixedWindow } from './fixed-window.js';
import { poolSnapshotName, type PoolSnapshot } from './pool-snapshot-cache.js';
import type { RecordAuthenticator } from './record-authenticator.js';
import { RedisScript, type RedisConnection } from './redis-connection.js';

/** Calls per minute. */
export interface RateLimits {
  /** Of one account. */
  readonly perAccount: number;
  /** Of one network address, where no account is identified (OPEN-10). */
  readonly perAddress: number;
}

export interface AdmissionRequest {
  /** The credential's key (`k:…`, `s:…`) without the prefix `cred:`; null on routes that need no credential. */
  readonly key: string | null;
  /** Auth has just resolved the credential: if its record is missing again, the call is not counted again. */
  readonly isResolved?: boolean;
  /** Whether the operation draws on pools, so that the account's pool snapshot is read too. */
  readonly billable: boolean;
  readonly clientIp: string;
  readonly limits: RateLimits;
}

/**
 * The reply of the admission script:
 * - `account`: the record is active; the call is counted on its account.
 * - `identity`: the record is active, but has no account yet; the call is counted on its address.
 * - `address`: the route needs no credential; the call is counted on its address.
 * - `not_cached`: Redis has no record of the credential with a valid MAC; the call is counted on its address, unless
 *   already resolved (`isResolved`).
 * - `refused`: the credential is revoked or expired; the call is counted on its address as one of `not_cached` is (AMB-38).
 */
export type Admission =
  | {
      readonly outcome: 'account';
      readonly record: CredentialRecord & { accountId: string };
      readonly window: FixedWindow;
      readonly snapshot: PoolSnapshot | null;
    }
  | { readonly outcome: 'identity'; readonly record: CredentialRecord; readonly window: FixedWindow }
  | { readonly outcome: 'address' | 'not_cached' | 'refused'; readonly window: FixedWindow };

const duration = new Histogram({
  name: 'vaultsvc_admission_duration_seconds',
  help: 'Time of the one round trip to Redis that authenticates and counts a call.',
  buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25],
});

/** Fixed-window rate limiter per account or address. It only counts; `assertWithinLimit` refuses. */
export class RateLimiter {
  constructor(
    private readonly redis: RedisConnection,
    private readonly credentials: RecordAuthenticator<CredentialRecord>,
    private readonly snapshots: RecordAuthenticator<PoolSnapshot>,
  ) {}

  /**
   * Looks the credential up, counts the call and reads the pool snapshot, in one round trip. A record without a valid MAC
   * takes a second one, in which the credential is not cached.
   * @throws RedisUnavailable
   */
  async admit(request: AdmissionRequest): Promise<Admission> {
    const admission = this.#admissionOf(await this.#run(request), request);
    return admission ?? notCached(await this.#run(request, 'skip the record'), request);
  }

  async #run(
    { key, isResolved, billable, clientIp }: AdmissionRequest,
    skip?: 'skip the record',
  ): Promise<ScriptReply> {
    const names = [key === null ? '' : credentialRecordName(key), addressCounter(clientIp)];
    const flags = [billable, isResolved, skip].map((flag) => (flag ? '1' : ''));
    const stop = duration.startTimer();
    return (await this.redis.run(admissionScript, [], [...names, ...flags]).finally(stop)) as ScriptReply;
  }

  /** Undefined for a record without a valid MAC. */
  #admissionOf(reply: ScriptReply, request: AdmissionRequest): Admission | undefined {
    const [outcome, , , , text, snapshot] = reply;
    if (outcome === 'address') return { outcome, window: windowOf(reply, request) };
    if (outcome === 'not_cached') return notCached(reply, request);
    const record = this.credentials.decode(credentialRecordName(request.key ?? ''), text);
    if (!record || outcome === 'unreadable') return undefined;
    const window = windowOf(reply, request);
    if (outcome === 'refused') return { outcome, window };
    if (outcome === 'identity') return { outcome, window, record };
    const account = record as CredentialRecord & { accountId: string };
    return { outcome, window, record: account, snapshot: this.#snapshotOf(account, snapshot) };
  }

  #snapshotOf({ accountId }: { accountId: string }, text: string): PoolSnapshot | null {
    if (text === '') return null;
    return this.snapshots.decode(poolSnapshotName(accountId), text) ?? null;
  }
}

type ScriptReply = [
  outcome: 'account' | 'identity' | 'address' | 'not_cached' | 'refused' | 'unreadable',
  used: number,
  resetsAt: number,
  now: number,
  record: string,
  snapshot: string,
];

function notCached(reply: ScriptReply, request: AdmissionRequest): Admission {
  return { outcome: 'not_cached', window: windowOf(reply, request) };
}

function windowOf(
  [outcome, used, resetsAt, now]: ScriptReply,
  { limits }: Pick<AdmissionRequest, 'limits'>,
): FixedWindow {
  const times = { used, resetsAt, now };
  return outcome === 'account'
    ? { of: 'account', limit: limits.perAccount, ...times }
    : { of: 'address', limit: limits.perAddress, ...times };
}

/**
 * The script derives keys from the record, so all keys are on one Redis server and not on a cluster. It declares none: for
 * a declared key Redis demands the right to write it, which the gateway has for counters alone. It cannot check a MAC: the
 * gateway does, before it uses a reply.
 */
const admissionScript = new RedisScript(`${COUNT_IN_WINDOW}
local credential, address, billable, resolved, skip = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
if credential == '' then return {'address', count(address), ends, now, '', ''} end
local function without_account(outcome, text)
  return {outcome, resolved == '1' and 0 or count(address), ends, now, text, ''}
end
local text = skip == '' and redis.call('GET', credential)
if not text then return without_account('not_cached', '') end
local isReadable, record = pcall(cjson.decode, text)
local function has(field) return type(record[field]) == 'string' end
if not isReadable or type(record) ~= 'table' or not has('credentialId') then return {'unreadable', 0, ends, now, text, ''} end
if record.status ~= 'active' then return without_account('refused', text) end
if type(record.expiresAt) == 'number' and record.expiresAt <= now then return without_account('refused', text) end
if record.kind == 'identity' then return {'identity', count(address), ends, now, text, ''} end
if not has('accountId') then return {'unreadable', 0, ends, now, text, ''} end
local used = count('rl:' .. record.accountId .. ':')
if record.kind == 'api_key' and redis.call('HSET', 'used', record.credentialId, string.format('%d', now)) == 1 then
  redis.call('EXPIRE', 'used', ${USES_TTL_SECONDS})
end
local snapshot = '' -- of the pools, under the key of earlier releases
if billable == '1' then snapshot = redis.call('GET', 'funds:' .. record.accountId) or '' end
return {'account', used, ends, now, text, snapshot}
`);

import { isIPv6 } from 'node:net';
import { Histogram } from 'prom-client';
import { USES_TTL_SECONDS, type CredentialRecord } from './credential-cache.js';
import type { PoolSnapshot } from './pool-snapshot-cache.js';
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
  /** Auth has just resolved the credential: a record that is still missing does not exist, and is not counted again. */
  readonly isResolved?: boolean;
  /** Whether the operation draws on pools, so that the account's pool snapshot is read too. */
  readonly billable: boolean;
  readonly clientIp: string;
  readonly limits: RateLimits;
}

/** One minute, aligned to the clock of Redis (AMB-39). All times in epoch seconds. */
export interface FixedWindow {
  /** Whose calls are counted. */
  readonly of: 'account' | 'address';
  readonly limit: number;
  /** Calls in this window, this one included. More than `limit`: the call is refused. */
  readonly used: number;
  readonly resetsAt: number;
  readonly now: number;
}

/**
 * The reply of the admission script:
 * - `account`: the record is active; the call is counted on its account.
 * - `identity`: the record is active, but has no account yet; the call is counted on its address.
 * - `address`: the route needs no credential; the call is counted on its address.
 * - `not_cached`: Redis has no record of the credential; the call is counted on its address, unless already resolved (`isResolved`).
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

/** Whether the window's limit is exceeded, so that the call is refused with 429 (see `assertWithinLimit`). */
export function isOverLimit(window: FixedWindow): boolean {
  return window.used > window.limit;
}

const duration = new Histogram({
  name: 'vaultsvc_admission_duration_seconds',
  help: 'Time of the one round trip to Redis that authenticates and counts a call.',
  buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25],
});

/** Fixed-window rate limiter per account or address. It only counts; `assertWithinLimit` refuses. */
export class RateLimiter {
  constructor(private readonly redis: RedisConnection) {}

  /**
   * Looks the credential up, counts the call and reads the pool snapshot, in one round trip.
   * @throws RedisUnavailable
   */
  async admit({ key, isResolved, billable, clientIp, limits }: AdmissionRequest): Promise<Admission> {
    const keys = [key === null ? '' : `cred:${key}`, `ip:${clientNetwork(clientIp)}:`];
    const stop = duration.startTimer();
    const reply = await this.redis
      .run(admissionScript, keys, [billable ? '1' : '', isResolved ? '1' : ''])
      .finally(stop);
    return admissionOf(reply as ScriptReply, limits);
  }
}

type ScriptReply = [
  'account' | 'identity' | 'address' | 'not_cached' | 'refused',
  number,
  number,
  number,
  string,
  string,
];

function admissionOf(
  [outcome, used, resetsAt, now, record, snapshot]: ScriptReply,
  limits: RateLimits,
): Admission {
  const times = { used, resetsAt, now };
  const window: FixedWindow =
    outcome === 'account'
      ? { of: 'account', limit: limits.perAccount, ...times }
      : { of: 'address', limit: limits.perAddress, ...times };
  if (outcome === 'identity') return { outcome, window, record: JSON.parse(record) as CredentialRecord };
  if (outcome !== 'account') return { outcome, window };
  const account = JSON.parse(record) as CredentialRecord & { accountId: string };
  return {
    outcome,
    window,
    record: account,
    snapshot: snapshot === '' ? null : (JSON.parse(snapshot) as PoolSnapshot),
  };
}

/**
 * INCR and EXPIREAT are one atomic step: a crash between them would block an account for ever. The script derives keys
 * from the record, so all keys are on one Redis server and not on a cluster.
 */
const admissionScript = new RedisScript(`
local now = tonumber(redis.call('TIME')[1])
local ends = (math.floor(now / 60) + 1) * 60
local function count(key)
  local used = redis.call('INCR', key .. string.format('%d', ends))
  if used == 1 then redis.call('EXPIREAT', key .. string.format('%d', ends), ends + 5) end
  return used
end
if KEYS[1] == '' then return {'address', count(KEYS[2]), ends, now, '', ''} end
local function without_account(outcome)
  return {outcome, ARGV[2] == '1' and 0 or count(KEYS[2]), ends, now, '', ''}
end
local text = redis.call('GET', KEYS[1])
if not text then return without_account('not_cached') end
local record = cjson.decode(text)
if record.status ~= 'active' then return without_account('refused') end
if type(record.expiresAt) == 'number' and record.expiresAt <= now then return without_account('refused') end
if record.kind == 'identity' then return {'identity', count(KEYS[2]), ends, now, text, ''} end
local used = count('rl:' .. record.accountId .. ':')
if record.kind == 'api_key' and redis.call('HSET', 'used', record.credentialId, string.format('%d', now)) == 1 then
  redis.call('EXPIRE', 'used', ${USES_TTL_SECONDS})
end
local snapshot = '' -- of the pools, under the key of earlier releases
if ARGV[1] == '1' then snapshot = redis.call('GET', 'funds:' .. record.accountId) or '' end
return {'account', used, ends, now, text, snapshot}
`);

/**
 * The network that one client controls: an IPv4 address itself, the /64 of an IPv6 address. Every IPv6 subscriber has at
 * least 2^64 addresses (RFC 6177), so a limit per address would limit nothing.
 */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%')[0] as string).split('::') as [string, string?];
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

import { USES_TTL_SECONDS } from './credential-cache.js';
import type { CredentialRecord, PoolSnapshot } from './records.js';
import type { RedisConnection } from './redis-connection.js';
import { RedisScript } from './redis-script.js';
import { Histogram } from 'prom-client';
import { networkOf } from './network-of.js';

export interface Limits {
  /** Operations of one account in one minute. */
  readonly perAccount: number;
  /** Calls from one address in one minute, where no account can be counted (OPEN-10). */
  readonly perAddress: number;
}

export interface AdmissionRequest {
  /** The credential's key without prefix (`k:…`, `s:…`); null on routes that need no credential. */
  readonly key: string | null;
  /** Auth has just been asked: a record that is still missing does not exist, and costs the address nothing more. */
  readonly resolved?: boolean;
  /** Whether the operation draws on pools, so that its pool snapshot is read too. */
  readonly billable: boolean;
  readonly clientIp: string;
  readonly limits: Limits;
}

/** One minute, aligned to the clock of Redis (AMB-39). All times in epoch seconds. */
export interface Window {
  /** Whose calls are counted. */
  readonly of: 'account' | 'address';
  readonly limit: number;
  /** This call included. May exceed the limit; then the call is over it. */
  readonly used: number;
  readonly resetsAt: number;
  readonly now: number;
}

/**
 * `account`, `identity`: the record is good and its call is counted (an identity's on its address). `address`: no
 * credential was asked for; counted. `unknown`: Redis does not know the credential; counted on the address unless
 * resolved. `refused`: revoked or expired; not counted (AMB-38).
 */
export type Admitted =
  | {
      readonly outcome: 'account';
      readonly record: CredentialRecord & { accountId: string };
      readonly window: Window;
      readonly snapshot: PoolSnapshot | null;
    }
  | { readonly outcome: 'identity'; readonly record: CredentialRecord; readonly window: Window }
  | { readonly outcome: 'address' | 'unknown'; readonly window: Window }
  | { readonly outcome: 'refused' };

export function isOver(window: Window): boolean {
  return window.used > window.limit;
}

const duration = new Histogram({
  name: 'vaultsvc_admission_duration_seconds',
  help: 'Time of the one round trip to Redis that authenticates and counts a call.',
  buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25],
});

/** Authenticates, counts and reads the pool snapshot in one round trip. Throws RedisUnavailable. */
export class Admission {
  constructor(private readonly redis: RedisConnection) {}

  async admit({ key, resolved, billable, clientIp, limits }: AdmissionRequest): Promise<Admitted> {
    const keys = [key === null ? '' : `cred:${key}`, `ip:${networkOf(clientIp)}:`];
    const stop = duration.startTimer();
    const reply = await this.redis
      .run(script, keys, [billable ? '1' : '', resolved ? '1' : ''])
      .finally(stop);
    return read(reply as ScriptReply, limits);
  }
}

type ScriptReply = [
  'account' | 'identity' | 'address' | 'unknown' | 'refused',
  number,
  number,
  number,
  string,
  string,
];

function read([outcome, used, resetsAt, now, record, snapshot]: ScriptReply, limits: Limits): Admitted {
  if (outcome === 'refused') return { outcome };
  const times = { used, resetsAt, now };
  const window: Window =
    outcome === 'account'
      ? { of: 'account', limit: limits.perAccount, ...times }
      : { of: 'address', limit: limits.perAddress, ...times };
  if (outcome === 'address' || outcome === 'unknown') return { outcome, window };
  if (outcome === 'identity') return { outcome, window, record: JSON.parse(record) as CredentialRecord };
  const known = JSON.parse(record) as CredentialRecord & { accountId: string };
  return {
    outcome,
    window,
    record: known,
    snapshot: snapshot === '' ? null : (JSON.parse(snapshot) as PoolSnapshot),
  };
}

/**
 * INCR and EXPIREAT in one step: apart, a crash between them would block an account for ever. Keys are made here from
 * the record, which is why one Redis (not Redis Cluster) holds them all.
 */
const script = new RedisScript(`
local now = tonumber(redis.call('TIME')[1])
local ends = (math.floor(now / 60) + 1) * 60
local function count(key)
  local used = redis.call('INCR', key .. string.format('%d', ends))
  if used == 1 then redis.call('EXPIREAT', key .. string.format('%d', ends), ends + 5) end
  return used
end
if KEYS[1] == '' then return {'address', count(KEYS[2]), ends, now, '', ''} end
local text = redis.call('GET', KEYS[1])
if not text then
  if ARGV[2] == '1' then return {'unknown', 0, ends, now, '', ''} end
  return {'unknown', count(KEYS[2]), ends, now, '', ''}
end
local record = cjson.decode(text)
if record.status ~= 'active' then return {'refused', 0, ends, now, '', ''} end
if type(record.expiresAt) == 'number' and record.expiresAt <= now then return {'refused', 0, ends, now, '', ''} end
if record.kind == 'identity' then return {'identity', count(KEYS[2]), ends, now, text, ''} end
local used = count('rl:' .. record.accountId .. ':')
if record.kind == 'api_key' and redis.call('HSET', 'used', record.credentialId, string.format('%d', now)) == 1 then
  redis.call('EXPIRE', 'used', ${USES_TTL_SECONDS})
end
local snapshot = ''
if ARGV[1] == '1' then snapshot = redis.call('GET', 'funds:' .. record.accountId) or '' end
return {'account', used, ends, now, text, snapshot}
`);

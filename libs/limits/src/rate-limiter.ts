import type { OnApplicationShutdown } from '@nestjs/common';
import { Histogram } from 'prom-client';
import type { Admission, AdmissionRequest } from './admission.js';
import { ClusterAdmission } from './cluster-admission.js';
import { USES_TTL_SECONDS, type CredentialRecord } from './credential-cache.js';
import type { FixedWindow } from './fixed-window.js';
import { USES } from './key-names.js';
import type { PoolSnapshot } from './pool-snapshot-cache.js';
import type { RecordAuthenticator } from './record-authenticator.js';
import type { RedisConnection } from './redis-connection.js';
import { RedisScript } from './redis-script.js';
import { COUNT_IN_WINDOW } from './window-counter.js';

const duration = new Histogram({
  name: 'vaultsvc_admission_duration_seconds',
  help: 'Time of the round trip to Redis that authenticates and counts a call; in a cluster of two.',
  buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25],
});

/** Fixed-window rate limiter per account or address. It only counts; `assertWithinLimit` refuses. */
export class RateLimiter implements OnApplicationShutdown {
  readonly #cluster: ClusterAdmission | undefined;

  constructor(
    private readonly redis: RedisConnection,
    private readonly credentials: RecordAuthenticator<CredentialRecord>,
    private readonly snapshots: RecordAuthenticator<PoolSnapshot>,
  ) {
    if (redis.isCluster) this.#cluster = new ClusterAdmission(redis, credentials, snapshots);
  }

  /** Before the module closes the connection. */
  async onApplicationShutdown(): Promise<void> {
    await this.#cluster?.stop();
  }

  /**
   * Looks the credential up, counts the call and reads the pool snapshot, in one round trip; in a cluster in two. A record without a
   * valid MAC takes a second one, in which the credential is not cached.
   * @throws RedisUnavailable
   */
  async admit(request: AdmissionRequest): Promise<Admission> {
    if (this.#cluster) return this.#cluster.admit(request).finally(duration.startTimer());
    const admission = this.#admissionOf(await this.#run(request), request);
    return admission ?? notCached(await this.#run(request, 'skip the record'), request);
  }

  async #run(
    { key, isResolved, billable, clientIp }: AdmissionRequest,
    skip?: 'skip the record',
  ): Promise<ScriptReply> {
    const { names } = this.redis;
    const keys = [key === null ? '' : names.credential(key), names.callsOfAddress(clientIp)];
    const flags = [billable, isResolved, skip].map((flag) => (flag ? '1' : ''));
    const stop = duration.startTimer();
    return (await this.redis.run(admissionScript, [], [...keys, ...flags]).finally(stop)) as ScriptReply;
  }

  /** Undefined for a record without a valid MAC. */
  #admissionOf(reply: ScriptReply, request: AdmissionRequest): Admission | undefined {
    const [outcome, , , , text, snapshot] = reply;
    if (outcome === 'address') return { outcome, window: windowOf(reply, request) };
    if (outcome === 'not_cached') return notCached(reply, request);
    const record = this.credentials.decode(this.redis.names.credential(request.key ?? ''), text);
    if (!record || outcome === 'unreadable') return undefined;
    const window = windowOf(reply, request);
    if (outcome === 'refused') return { outcome, window };
    if (outcome === 'identity') return { outcome, window, record };
    const account = record as CredentialRecord & { accountId: string };
    return { outcome, window, record: account, snapshot: this.#snapshotOf(account, snapshot) };
  }

  #snapshotOf({ accountId }: { accountId: string }, text: string): PoolSnapshot | null {
    if (text === '') return null;
    return this.snapshots.decode(this.redis.names.poolSnapshot(accountId), text) ?? null;
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
 * The script derives keys from the record, so all keys are on one Redis server: a cluster has `ClusterAdmission`. It declares none: for
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
if record.kind == 'api_key' and redis.call('HSET', '${USES}', record.credentialId, string.format('%d', now)) == 1 then
  redis.call('EXPIRE', '${USES}', ${USES_TTL_SECONDS})
end
local snapshot = '' -- of the pools, under the key of earlier releases
if billable == '1' then snapshot = redis.call('GET', 'funds:' .. record.accountId) or '' end
return {'account', used, ends, now, text, snapshot}
`);

import type { Admission, AdmissionRequest } from './admission.js';
import type { CredentialRecord } from './credential-cache.js';
import { KeyUseRecorder } from './key-use-recorder.js';
import type { PoolSnapshot } from './pool-snapshot-cache.js';
import type { RecordAuthenticator } from './record-authenticator.js';
import type { RedisConnection } from './redis-connection.js';
import { RedisScript } from './redis-script.js';
import { VersionedRecords } from './versioned-records.js';
import { COUNT_IN_CLUSTER, WindowCounter, type Count } from './window-counter.js';

type AccountRecord = CredentialRecord & { accountId: string };

/**
 * Admits calls in a cluster, with the outcomes of the one script elsewhere, in two trips: the record of the credential says
 * which account the call is of, and so on which server its counter is. Where there is no account, the address is counted instead.
 */
export class ClusterAdmission {
  readonly #records: VersionedRecords<CredentialRecord>;
  readonly #counter: WindowCounter;
  readonly #uses: KeyUseRecorder;

  constructor(
    private readonly redis: RedisConnection,
    credentials: RecordAuthenticator<CredentialRecord>,
    private readonly snapshots: RecordAuthenticator<PoolSnapshot>,
  ) {
    this.#records = new VersionedRecords(redis, credentials);
    this.#counter = new WindowCounter(redis);
    this.#uses = new KeyUseRecorder(redis);
  }

  /** @throws RedisUnavailable */
  async admit(request: AdmissionRequest): Promise<Admission> {
    if (request.key === null) return withoutAccount('address', request, await this.#countAddress(request));
    const record = await this.#records.get(this.redis.names.credential(request.key));
    if (!record) return this.#refuse('not_cached', request);
    if (record.status !== 'active') return this.#refuse('refused', request);
    if (record.kind === 'identity') return this.#admitIdentity(record, request);
    return hasAccount(record) ? this.#admitAccount(record, request) : this.#refuse('not_cached', request);
  }

  /** Writes the uses of API keys that are not written yet. */
  stop(): Promise<void> {
    return this.#uses.stop();
  }

  async #admitAccount(record: AccountRecord, request: AdmissionRequest): Promise<Admission> {
    const { names } = this.redis;
    const snapshotName = names.poolSnapshot(record.accountId);
    const values = [String(record.expiresAt ?? ''), request.billable ? snapshotName : ''];
    const reply = await this.redis.run(countOnAccount, [names.callsOfAccount(record.accountId)], values);
    const [used, resetsAt, now, text] = reply as [number, number, number, string];
    if (used === EXPIRED) return this.#refuse('refused', request);
    if (record.kind === 'api_key') this.#uses.note(record.credentialId, now);
    const window = { of: 'account' as const, limit: request.limits.perAccount, used, resetsAt, now };
    const snapshot = text === '' ? null : (this.snapshots.decode(snapshotName, text) ?? null);
    return { outcome: 'account', record, window, snapshot };
  }

  async #admitIdentity(record: CredentialRecord, request: AdmissionRequest): Promise<Admission> {
    const count = await this.#countAddress(request);
    if (record.expiresAt !== null && record.expiresAt <= count.now)
      return withoutAccount('refused', request, count);
    return { ...withoutAccount('identity', request, count), outcome: 'identity', record };
  }

  /** A call that auth has just resolved was counted when its record was missing. */
  async #refuse(outcome: 'not_cached' | 'refused', request: AdmissionRequest): Promise<Admission> {
    if (!request.isResolved) return withoutAccount(outcome, request, await this.#countAddress(request));
    const count = await this.#counter.read(this.redis.names.callsOfAddress(request.clientIp));
    return withoutAccount(outcome, request, { ...count, used: 0 });
  }

  #countAddress({ clientIp }: AdmissionRequest): Promise<Count> {
    return this.#counter.count(this.redis.names.callsOfAddress(clientIp));
  }
}

function hasAccount(record: CredentialRecord): record is AccountRecord {
  return record.accountId !== null;
}

function withoutAccount<Outcome extends 'address' | 'not_cached' | 'refused' | 'identity'>(
  outcome: Outcome,
  { limits }: AdmissionRequest,
  count: Count,
) {
  return { outcome, window: { of: 'address' as const, limit: limits.perAddress, ...count } };
}

const EXPIRED = 0;

// It declares the counter alone, by whose name a node redirects it: for a declared key Redis demands the right to write it. While the
// slot moves, the snapshot may be on the other node; the error counts as a missing snapshot, which is loaded again.
const countOnAccount = new RedisScript(`${COUNT_IN_CLUSTER}
local expires = tonumber(ARGV[1])
if expires and expires <= now then return {${EXPIRED}, ends, now, ''} end
local used = count(KEYS[1])
local snapshot = ARGV[2] ~= '' and redis.pcall('GET', ARGV[2])
if type(snapshot) ~= 'string' then snapshot = '' end
return {used, ends, now, snapshot}
`);

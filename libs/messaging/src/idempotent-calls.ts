import { createHash, type KeyObject } from 'node:crypto';
import {
  AppError,
  type AccountContext,
  type Idempotency,
  type Input,
  type PublicOperation,
} from '@vaultsvc/contracts';
import { mac, macEquals, macKey } from '@vaultsvc/crypto/mac';
import { statement, type Database, type Transaction } from '@vaultsvc/database';
import { UnitLimit } from './unit-limit.js';

/** A call with an Idempotency-Key, of an operation that accepts one. */
export interface IdempotentCall {
  readonly op: PublicOperation;
  readonly input: Input;
  readonly context: AccountContext & { readonly idempotencyKey: string };
}

/** The JSON of a reply, and whether it is that of an earlier call. */
export interface IdempotentReply {
  readonly json: string;
  readonly isReplayed: boolean;
}

export interface IdempotencySettings {
  /** A setting of the service that is not in its database, at least 32 bytes. */
  readonly secret: Buffer;
  /** The size of the connection pool. */
  readonly connections: number;
}

/** How long a key is remembered. */
const KEPT = '24 hours';
/** Longer than any call has: after it, the instance that reserved the key has ended without an answer. */
const RESERVED_FOR = '2 minutes';
const HOUR_CHARACTERS = 13;
/** Serializes advisory locks of this purpose. */
const LOCK_SPACE = 'idempotency';

/**
 * Carries out a request once for each Idempotency-Key of an account and operation (OPEN-67). The row that remembers it stands
 * in the transaction of its effect, so neither exists without the other: a caller that lost the response repeats the request
 * and gets the same one.
 */
export class IdempotentCalls {
  readonly #secret: KeyObject;
  readonly #limit: UnitLimit;

  constructor(
    private readonly database: Database,
    { secret, connections }: IdempotencySettings,
  ) {
    this.#secret = macKey(secret);
    this.#limit = new UnitLimit(connections);
  }

  /**
   * Runs the handler, or returns the reply of the call that has run it.
   * @throws Busy; IDEMPOTENCY_KEY_IN_USE, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_SPENT; or the error of the handler, after which the
   * key is as unused as before
   */
  run(call: IdempotentCall, handle: () => Promise<string>): Promise<IdempotentReply> {
    const { credential, deadlineMs } = call.context;
    if (idempotencyOf(call).ownTransactions) return this.#runReserved(call, handle);
    return this.#limit.run(credential.accountId, deadlineMs, () => this.#runUnit(call, handle));
  }

  /**
   * For a handler that must commit before it calls a provider. After a crash of this instance the reservation is taken over by a
   * repetition, whose handler finds what the first one has done.
   */
  async #runReserved(call: IdempotentCall, handle: () => Promise<string>): Promise<IdempotentReply> {
    const place = placeOf(call);
    const known = await this.database.transaction((tx) => this.#reserve(tx, call, place));
    if (known !== null) return { json: known, isReplayed: true };
    try {
      const json = await handle();
      await this.database.transaction((tx) => this.#remember(tx, call, place, json));
      return { json, isReplayed: false };
    } catch (error) {
      await this.database.query(release, place);
      throw error;
    }
  }

  /** The reply of an earlier call; null when the key is reserved for this one now. */
  async #reserve(tx: Transaction, call: IdempotentCall, place: Place): Promise<string | null> {
    await lock(tx, place);
    const [known] = await tx.query<StoredReply>(find, place);
    if (known && known.reply !== null) return this.#repeated(call, known);
    if (known && !macEquals(known.fingerprint, this.#fingerprint(call, known.hour)))
      throw new AppError('IDEMPOTENCY_KEY_REUSED');
    if (known?.is_recent) throw new AppError('IDEMPOTENCY_KEY_IN_USE');
    const hour = currentHour();
    await tx.query(remember, [...place, hour, this.#fingerprint(call, hour), null, null]);
    return null;
  }

  #runUnit(call: IdempotentCall, handle: () => Promise<string>): Promise<IdempotentReply> {
    return this.database.unitOfWork(async (tx) => {
      const place = placeOf(call);
      await lock(tx, place);
      const [known] = await tx.query<StoredReply>(find, place);
      if (known) return { json: this.#repeated(call, known), isReplayed: true };
      const json = await handle();
      await this.#remember(tx, call, place, json);
      return { json, isReplayed: false };
    });
  }

  #repeated(call: IdempotentCall, { hour, fingerprint, resource_id, reply }: StoredReply): string {
    if (!macEquals(fingerprint, this.#fingerprint(call, hour))) throw new AppError('IDEMPOTENCY_KEY_REUSED');
    if (reply !== null) return reply;
    const { id } = idempotencyOf(call);
    throw new AppError(
      'IDEMPOTENCY_KEY_SPENT',
      id !== undefined && resource_id !== null ? { [id]: resource_id } : undefined,
    );
  }

  async #remember(tx: Transaction, call: IdempotentCall, place: Place, json: string): Promise<void> {
    const { id, secrets = [] } = idempotencyOf(call);
    const reply = json === '' ? {} : (JSON.parse(json) as Record<string, unknown>);
    const resourceId = id === undefined ? null : (reply[id] ?? null);
    const isSecret = secrets.some((name) => reply[name] !== undefined && reply[name] !== null);
    const hour = currentHour();
    const fingerprint = this.#fingerprint(call, hour);
    await tx.query(remember, [...place, hour, fingerprint, resourceId, isSecret ? null : json]);
  }

  /**
   * The HMAC of the call's input under the key of an hour: the body may hold a secret that is easily guessed, and a plain hash of it
   * would let a thief of the database try.
   */
  #fingerprint({ op, input }: IdempotentCall, hour: string): Buffer {
    const key = mac(this.#secret, 'vk/v1/idempotency/hour', hour);
    const { params, query, body } = input as { params?: object; query?: object; body?: object };
    return mac(key, 'vk/v1/idempotency/request', op.name, JSON.stringify([params, query, body]));
  }
}

/** Names the key of a fingerprint. */
function currentHour(): string {
  return new Date().toISOString().slice(0, HOUR_CHARACTERS);
}

function idempotencyOf({ op }: IdempotentCall): Idempotency {
  return typeof op.idempotent === 'object' ? op.idempotent : {};
}

/** Account, operation, and hash of the key: a key may be a secret of its caller. */
type Place = readonly [accountId: string, operation: string, keyHash: Buffer];

function placeOf({ op, context }: IdempotentCall): Place {
  const keyHash = createHash('sha256').update(context.idempotencyKey).digest();
  return [context.credential.accountId, op.name, keyHash];
}

/** Held until the transaction ends. A call under way is answered as such instead of being waited for. */
async function lock(tx: Transaction, [accountId, operation, keyHash]: Place): Promise<void> {
  const name = [LOCK_SPACE, accountId, operation, keyHash.toString('hex')].join(' ');
  const [row] = await tx.query<{ locked: boolean }>(tryLock, [name]);
  if (!row?.locked) throw new AppError('IDEMPOTENCY_KEY_IN_USE');
}

interface StoredReply {
  readonly hour: string;
  readonly fingerprint: Buffer;
  readonly resource_id: string | null;
  readonly reply: string | null;
  /** Whether the call that reserved the key may still be under way. */
  readonly is_recent: boolean;
}

const tryLock = statement(
  'idempotency.lock',
  `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked`,
);

const find = statement(
  'idempotency.find',
  `SELECT hour, fingerprint, resource_id, reply, created_at > now() - interval '${RESERVED_FOR}' AS is_recent FROM idempotency_keys
    WHERE account_id = $1 AND operation = $2 AND key_hash = $3 AND created_at > now() - interval '${KEPT}'`,
);

/** Replaces an expired row that was not deleted yet. */
const remember = statement(
  'idempotency.remember',
  `INSERT INTO idempotency_keys (account_id, operation, key_hash, hour, fingerprint, resource_id, reply)
   VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (account_id, operation, key_hash) DO UPDATE
     SET hour = excluded.hour, fingerprint = excluded.fingerprint, resource_id = excluded.resource_id,
         reply = excluded.reply, created_at = now()`,
);

/** Of a reservation whose call has failed. */
const release = statement(
  'idempotency.release',
  `DELETE FROM idempotency_keys WHERE account_id = $1 AND operation = $2 AND key_hash = $3 AND reply IS NULL`,
);

/** Deletes at most `$1` expired rows. */
export const deleteExpiredKeys = statement(
  'idempotency.delete-expired',
  `WITH deleted AS (
     DELETE FROM idempotency_keys WHERE ctid IN (
       SELECT ctid FROM idempotency_keys WHERE created_at <= now() - interval '${KEPT}' LIMIT $1)
     RETURNING 1)
   SELECT count(*)::int AS count FROM deleted`,
);

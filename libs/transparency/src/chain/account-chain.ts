import { lengthPrefixed } from '@vaultsvc/crypto/encoding';
import { HASH_BYTES, sha256 } from '@vaultsvc/crypto/hash';
import { canonicalJson, type JsonObject } from './canonical-json.js';

/** What the hash of an entry covers besides its body. It remains when the body is erased. */
export interface EntryFacts {
  /** The id of the account, `acc_…`. */
  readonly account: string;
  /** Counts the entries of the account from 1, without gaps. */
  readonly seq: number;
  /** When the event happened, in epoch milliseconds. It may be before that of an earlier entry. */
  readonly at: number;
  /** The type of the event, as in `spark_created`. */
  readonly type: string;
}

/** The prefix of each hash, so that no value of one kind is a value of another kind. */
const BODY = Buffer.of(0x00);
const ENTRY = Buffer.of(0x01);
const PSEUDONYM = Buffer.of(0x02);

/** The length of the salt of a body, and of the salt of an account. */
export const SALT_BYTES = 32;

/** The `prev_hash` of the first entry of an account. */
export const FIRST_PREV_HASH: Buffer = Buffer.alloc(HASH_BYTES);

/**
 * The hash of an entry's body: SHA-256(0x00 || salt || canonical JSON). The salt is random for each entry and is erased with
 * the body: without it, the hash does not reveal which address or name an erased body had.
 * @throws RangeError unless the salt has 32 bytes; Error for a body without a canonical form
 */
export function bodyHash(salt: Buffer, body: JsonObject): Buffer {
  return canonicalBodyHash(salt, canonicalJson(body));
}

/** As `bodyHash`, of a body that is canonical JSON already. */
export function canonicalBodyHash(salt: Buffer, canonical: Buffer): Buffer {
  assertSalt(salt);
  return sha256(Buffer.concat([BODY, salt, canonical]));
}

/**
 * The hash of an entry, which binds all entries before it: SHA-256(0x01 || prev_hash || LP(account, seq, at, type,
 * body_hash)). LP is `lengthPrefixed`; the two numbers are decimal text.
 * @throws RangeError unless `seq` is 1 or more, `at` is an integer, and both hashes have 32 bytes
 */
export function entryHash(prevHash: Buffer, { account, seq, at, type }: EntryFacts, body: Buffer): Buffer {
  const isNumbered = Number.isSafeInteger(seq) && seq >= 1 && Number.isSafeInteger(at);
  if (!isNumbered || prevHash.length !== HASH_BYTES || body.length !== HASH_BYTES)
    throw new RangeError('An entry has a seq from 1, integer milliseconds, and hashes of 32 bytes');
  const facts = lengthPrefixed(account, String(seq), String(at), type, body);
  return sha256(Buffer.concat([ENTRY, prevHash, facts]));
}

/**
 * The name of an account in the log: 64 hexadecimal digits of SHA-256(0x02 || salt || account id). The salt is random for
 * each account and is stored with the head of its chain. Without it nobody can relate the name to the account; the
 * account proves its name by revealing it.
 * @throws RangeError unless the salt has 32 bytes
 */
export function accountPseudonym(salt: Buffer, account: string): string {
  assertSalt(salt);
  return sha256(Buffer.concat([PSEUDONYM, salt, Buffer.from(account)])).toString('hex');
}

function assertSalt(salt: Buffer): void {
  if (salt.length !== SALT_BYTES) throw new RangeError(`A salt has ${SALT_BYTES} bytes`);
}

import { randomFillSync } from 'node:crypto';
import {
  canonicalBodyHash,
  canonicalJson,
  entryHash,
  SALT_BYTES,
  type JsonObject,
} from '@vaultsvc/transparency';
import type { AuditRecord } from './audit-rules.js';
import { accountActorOf } from './exact-actor.js';

/** The end of an account's chain. */
export interface ChainHead {
  readonly accountId: string;
  /** The number of the last entry; 0 for a chain without entries. */
  readonly seq: number;
  readonly hash: Buffer;
}

/** An entry in its place. `body` and `salt` are what its erasure deletes. */
export interface LinkedEntry {
  readonly record: AuditRecord;
  readonly seq: number;
  readonly salt: Buffer;
  /** Canonical JSON, exactly as it is hashed. */
  readonly body: string;
  readonly bodyHash: Buffer;
  readonly hash: Buffer;
}

/** Appends records to the chain of one account, in their order. Returns the entries and the new head. */
export function linkEntries(
  head: ChainHead,
  records: readonly AuditRecord[],
): { readonly entries: readonly LinkedEntry[]; readonly head: ChainHead } {
  // One call for all salts, because a call to the generator costs more than its bytes.
  const salts = randomFillSync(Buffer.alloc(records.length * SALT_BYTES));
  const entries: LinkedEntry[] = [];
  let { seq, hash } = head;
  for (const [index, record] of records.entries()) {
    seq += 1;
    const salt = salts.subarray(index * SALT_BYTES, (index + 1) * SALT_BYTES);
    const body = canonicalJson(bodyOf(record));
    const hashed = canonicalBodyHash(salt, body);
    hash = entryHash(
      hash,
      { account: record.accountId, seq, at: record.occurredAtMs, type: record.type },
      hashed,
    );
    entries.push({ record, seq, salt, body: body.toString(), bodyHash: hashed, hash });
  }
  return { entries, head: { accountId: head.accountId, seq, hash } };
}

/**
 * What the hash of an entry covers besides account, number, time and type. Absent members are left out. Entries of earlier
 * releases have no `details.actor`.
 */
export function bodyOf({ eventId, requestId, actor, appId, details }: AuditRecord): JsonObject {
  return {
    event_id: eventId,
    request_id: requestId ?? undefined,
    ...accountActorOf(actor),
    app_slug: appId,
    details: { ...details, actor: { ...actor } },
  };
}

import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { statement, type Transaction } from '@vaultsvc/database';
import { FIRST_PREV_HASH, SALT_BYTES } from '@vaultsvc/transparency';
import { linkEntries, type ChainHead, type LinkedEntry } from './audit-chain.js';
import type { AuditRecord } from './audit-rules.js';

/**
 * The chains of the accounts. Entries are only added, and move the heads of their chains by a trigger: the role of the service has
 * no right to update either. See `erase_audit_entries` for the one exception.
 */
@Injectable()
export class AuditRepository {
  /**
   * Appends records to the chains of their accounts, in their order, and returns the entries. Locks the heads of these chains
   * until the commit, in the order of their accounts.
   */
  async append(tx: Transaction, records: readonly AuditRecord[]): Promise<readonly LinkedEntry[]> {
    if (records.length === 0) return [];
    const heads = await this.#lockHeads(tx, [...new Set(records.map(({ accountId }) => accountId))]);
    const linked = heads.map((head) =>
      linkEntries(
        head,
        records.filter(({ accountId }) => accountId === head.accountId),
      ),
    );
    const entries = linked.flatMap((chain) => chain.entries);
    await tx.query(appendEntries, [
      JSON.stringify(entries.map(rowOf)),
      linked.map(({ head }) => head.accountId),
      linked.map(({ head, entries: { length } }) => head.seq - length + 1),
      linked.map(({ head }) => head.seq),
    ]);
    await this.#keepLinkCodes(tx, records);
    return entries;
  }

  async #lockHeads(tx: Transaction, accountIds: readonly string[]): Promise<readonly ChainHead[]> {
    const heads = await tx.query<ChainHead>(lockHeads, [accountIds]);
    if (heads.length === accountIds.length) return heads;
    const salts = accountIds.map(() => randomBytes(SALT_BYTES));
    await tx.query(createHeads, [[...accountIds].sort(), salts, FIRST_PREV_HASH]);
    return tx.query<ChainHead>(lockHeads, [accountIds]);
  }

  async #keepLinkCodes(tx: Transaction, records: readonly AuditRecord[]): Promise<void> {
    const ended = records.flatMap(({ accountId, vaultId = null, linkCode }) =>
      linkCode ? [{ accountId, vaultId, ...linkCode }] : [],
    );
    if (ended.length > 0) await tx.query(keepLinkCodes, [JSON.stringify(ended)]);
  }
}

function rowOf({ record, seq, salt, body, bodyHash, hash }: LinkedEntry): object {
  const { accountId, type, occurredAtMs, vaultId, ingotId, appId, actor } = record;
  return {
    accountId,
    seq,
    type,
    occurredAtMs,
    vaultId,
    ingotId,
    appId,
    actorId: actor.id,
    body,
    salt: salt.toString('hex'),
    bodyHash: bodyHash.toString('hex'),
    hash: hash.toString('hex'),
  };
}

const lockHeads = statement(
  'audit.lock-heads',
  `SELECT account_id AS "accountId", seq, hash FROM lock_audit_heads($1::text[])`,
);

/** Sorted, so that two transactions that create the same heads do not wait for each other. */
const createHeads = statement(
  'audit.create-heads',
  `INSERT INTO audit_heads (account_id, seq, hash, pseudonym_salt)
   SELECT account_id, 0, $3, salt FROM unnest($1::text[], $2::bytea[]) AS account (account_id, salt)
   ON CONFLICT (account_id) DO NOTHING`,
);

/**
 * One JSON parameter instead of an array for each column is cheaper to send and as cheap to parse. While the log has a sink,
 * the batch is recorded for it, on an older instance of its rollout too. A trigger moves the heads of the chains.
 */
const appendEntries = statement(
  'audit.append',
  `WITH batch AS (
     INSERT INTO audit_batches (account_ids, first_seqs, last_seqs)
     SELECT $2::text[], $3::bigint[], $4::bigint[] WHERE EXISTS (SELECT FROM audit_sinks WHERE removed_at IS NULL))
   INSERT INTO audit_entries (account_id, seq, event_type, occurred_at, vault_id, ingot_id, app_id, actor_id, body, salt, body_hash, hash)
   SELECT "accountId", seq, type, to_timestamp("occurredAtMs" / 1000.0), "vaultId", "ingotId", "appId", "actorId", body,
          decode(salt, 'hex'), decode("bodyHash", 'hex'), decode(hash, 'hex')
     FROM json_to_recordset($1) AS entry (
       "accountId" text, seq bigint, type text, "occurredAtMs" bigint, "vaultId" text, "ingotId" text, "appId" text, "actorId" text, body text,
       salt text, "bodyHash" text, hash text)`,
);

const keepLinkCodes = statement(
  'audit.keep-link-codes',
  `INSERT INTO audit_link_codes (link_id, account_id, vault_id, code)
   SELECT "linkId", "accountId", "vaultId", code
     FROM json_to_recordset($1) AS ended ("linkId" text, "accountId" text, "vaultId" text, code text)
   ON CONFLICT (link_id) DO NOTHING`,
);

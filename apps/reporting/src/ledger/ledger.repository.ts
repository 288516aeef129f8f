import { Injectable } from '@nestjs/common';
import { newId } from '@vaultsvc/crypto/encoding';
import { statement, type Queryable } from '@vaultsvc/database';
import type { Entry } from './entry.js';

/** The usage ledger. It is only ever appended to. */
@Injectable()
export class LedgerRepository {
  /** Appends all entries in one statement. */
  async append(tx: Queryable, entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    await tx.query(appendEntries, [
      entries.map(() => newId('txn_')),
      entries.map(({ accountId }) => accountId),
      entries.map(({ type }) => type),
      entries.map(({ resource }) => resource),
      entries.map(({ quantity }) => quantity),
      entries.map(({ referenceId }) => referenceId),
      entries.map(({ vaultId }) => vaultId),
      entries.map(({ actorType }) => actorType),
      entries.map(({ eventId }) => eventId),
      entries.map(({ occurredAtMs }) => occurredAtMs),
    ]);
  }
}

const appendEntries = statement(
  'ledger.append',
  `INSERT INTO ledger (transaction_id, account_id, type, resource, quantity, unit, reference_id, vault_id,
                       actor_type, event_id, created_at)
   SELECT transaction_id, account_id, type, resource, quantity,
          CASE resource WHEN 'operation' THEN 'count' ELSE 'bytes' END, reference_id, vault_id,
          actor_type, event_id, to_timestamp(occurred_at_ms / 1000.0)
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[],
                 $8::text[], $9::uuid[], $10::bigint[])
       AS entry (transaction_id, account_id, type, resource, quantity, reference_id, vault_id,
                 actor_type, event_id, occurred_at_ms)`,
);

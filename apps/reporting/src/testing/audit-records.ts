import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import type { RunningService } from '@vaultsvc/service';
import { AuditRepository } from '../audit/audit.repository.js';
import type { AuditRecord } from '../audit/audit-rules.js';

/** A record of an account, such as an event writes. */
export function auditRecord(accountId: string, more: Partial<AuditRecord> = {}): AuditRecord {
  return {
    accountId,
    eventId: crypto.randomUUID(),
    type: 'spark_created',
    occurredAtMs: Date.now(),
    requestId: null,
    actor: { kind: 'api_key', id: newId('key_') },
    vaultId: undefined,
    ingotId: undefined,
    appId: undefined,
    details: { size_bytes: 5 },
    linkCode: undefined,
    ...more,
  };
}

/** Appends records in a transaction of their own. */
export async function appendRecords(
  service: RunningService,
  ...records: readonly AuditRecord[]
): Promise<void> {
  await (
    await appendUncommitted(service, ...records)
  )();
}

/** Appends records in a transaction that stays open until the returned function commits it. */
export async function appendUncommitted(
  { context }: RunningService,
  ...records: readonly AuditRecord[]
): Promise<() => Promise<void>> {
  let commit = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (commit = resolve));
  let committed: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    committed = context.get(Database).transaction(async (tx) => {
      await context.get(AuditRepository).append(tx, records);
      resolve();
      await isReleased;
    });
    committed.catch(reject);
  });
  return async () => {
    commit();
    await committed;
  };
}

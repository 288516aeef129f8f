import type { AccountContext } from '@vaultsvc/contracts';
import type { AuditRecord, Details } from './audit-rules.js';

/** The caller of a change that reporting itself makes; undefined for jobs and providers. */
export type AuditedCaller = Pick<AccountContext, 'credential' | 'requestId'> | undefined;

/** The entry of a change that reporting itself makes, appended in the transaction of the change. */
export function ownRecord(
  accountId: string,
  caller: AuditedCaller,
  entry: { readonly type: string; readonly details: Details; readonly appId?: string },
): AuditRecord {
  return {
    accountId,
    eventId: crypto.randomUUID(),
    type: entry.type,
    occurredAtMs: Date.now(),
    requestId: caller?.requestId ?? null,
    actor: caller && actorOf(caller.credential),
    vaultId: undefined,
    ingotId: undefined,
    appId: entry.appId,
    details: entry.details,
    linkCode: undefined,
  };
}

function actorOf({ userId, credentialId }: AccountContext['credential']): AuditRecord['actor'] {
  return userId === null ? { type: 'api_key', id: credentialId } : { type: 'user', id: userId };
}

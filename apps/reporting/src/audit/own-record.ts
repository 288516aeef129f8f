import type { AccountContext, Actor } from '@vaultsvc/contracts';
import type { AuditRecord, Details } from './audit-rules.js';
import { callerOf } from './exact-actor.js';

/** The cause of a change that reporting itself makes: a call, or a job. */
export interface AuditCause {
  readonly actor: Actor;
  readonly requestId: string | null;
}

/** The cause of a change that a caller asks for. */
export function causeOfCall(context: Pick<AccountContext, 'credential' | 'requestId'>): AuditCause {
  return { actor: callerOf(context), requestId: context.requestId };
}

/** The cause of a change that a job of this name makes. */
export function causeOfJob(id: string): AuditCause {
  return { actor: { kind: 'job', id }, requestId: null };
}

/** The cause of a change that the operator makes with a command of this name. */
export function causeOfOperator(id: string): AuditCause {
  return { actor: { kind: 'operator', id }, requestId: null };
}

/** The entry of a change that reporting itself makes, appended in the transaction of the change. */
export function ownRecord(
  accountId: string,
  { actor, requestId }: AuditCause,
  entry: { readonly type: string; readonly details: Details; readonly appId?: string },
): AuditRecord {
  return {
    accountId,
    eventId: crypto.randomUUID(),
    type: entry.type,
    occurredAtMs: Date.now(),
    requestId,
    actor,
    vaultId: undefined,
    ingotId: undefined,
    appId: entry.appId,
    details: entry.details,
    linkCode: undefined,
  };
}

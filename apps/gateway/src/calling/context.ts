import type { CallContext, Credential, PublicOperation } from '@vaultsvc/contracts';
import type { CredentialRecord } from '@vaultsvc/limits';
import type { Exchange } from '../server/exchange.js';
import { poolAvailabilityOf } from './pool-snapshot-loader.js';

/** How long the caller waits for a service. */
const DEADLINE_MS = 10_000;

/** The context of a call whose access has been checked. `requestBytes`: of its body, as it came. */
export function contextOf(
  op: PublicOperation,
  { requestId, caller, record, poolSnapshot, client, visit }: Exchange,
  requestBytes: number,
): CallContext {
  return {
    requestId,
    credential: credentialOf(op, record),
    clientIp: caller.ip,
    deadlineMs: Date.now() + DEADLINE_MS,
    ...(op.billable && { pools: poolAvailabilityOf(poolSnapshot), requestBytes }),
    ...(client && { client }),
    ...(visit && { visit }),
  };
}

function credentialOf({ access }: PublicOperation, record: CredentialRecord | null): Credential {
  if (record === null) return { kind: access.credential === 'provider' ? 'provider' : 'none' };
  // An API key is no person, and who has not signed up is not known by an address yet: they visit as anyone does.
  if (access.credential === 'optional' && record.kind !== 'session') return { kind: 'none' };
  const { kind, accountId, userId, credentialId, role, seat } = record;
  if (kind === 'identity') return { kind, identityId: userId ?? '', credentialId };
  if (accountId === null) throw new Error(`the record of a ${kind} names no account`);
  return { kind, accountId, userId, credentialId, role, seat };
}

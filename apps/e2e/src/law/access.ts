import type { CallerName, Row } from './row.js';

export type Refusal = '401 AUTHENTICATION_ERROR' | '403 FORBIDDEN';

/** The callers that each row is tried with; every other kind of credential is tried by access/access-matrix.spec.ts. */
export const callerNames: readonly CallerName[] = [
  ...(['anonymous', 'unknown key', 'API key', 'identity-only'] as const),
  ...(['member', 'viewer', 'admin', 'owner'] as const),
];

const WITHOUT_ACCOUNT: readonly CallerName[] = ['anonymous', 'unknown key'];

/** How a caller is refused, or nothing if the row admits it. */
export function refusalOf({ by = 'key', role, seat }: Row, caller: CallerName): Refusal | undefined {
  if (by === 'none') return undefined; // MISC-07
  if (by === 'provider') return '401 AUTHENTICATION_ERROR'; // CHT-12: no credential of ours replaces a signature
  if (by === 'optional') return caller === 'unknown key' ? '401 AUTHENTICATION_ERROR' : undefined;
  if (WITHOUT_ACCOUNT.includes(caller)) return '401 AUTHENTICATION_ERROR';
  if (by === 'any') return undefined;
  // AMB-19: the credential is valid, of the wrong kind.
  if ((by === 'identity-only') !== (caller === 'identity-only')) return '403 FORBIDDEN';
  if (by === 'session' && caller === 'API key') return '403 FORBIDDEN'; // AMB-17
  const isMember = caller === 'member' || caller === 'viewer';
  if (role === 'admin' && isMember) return '403 FORBIDDEN'; // AUTH-34
  if (seat === 'full' && caller === 'viewer') return '403 FORBIDDEN'; // AMB-18
  return undefined;
}

/** The admitted callers with the fewest rights: who more may, may too. */
export function leastCallers(row: Row): CallerName[] {
  if (row.by === 'none' || row.by === 'optional') return ['anonymous'];
  if (row.by === 'identity-only') return ['identity-only'];
  const person = row.role === 'admin' ? 'admin' : row.seat === 'full' ? 'member' : 'viewer';
  return row.by === 'session' ? [person] : [person, 'API key'];
}

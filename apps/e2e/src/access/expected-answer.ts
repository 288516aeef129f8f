import { errorStatus, type ErrorCode, type PublicOperation, type Role } from '@vaultsvc/contracts';
import type { ApiResponse } from '@vaultsvc/testing/http';

/**
 * What a caller presents, as the requirements tell callers apart. `nobody` presents nothing at all; `nothing` is every
 * credential that is not one (any more): revoked, expired, forged, of another kind.
 */
export type Standing =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'api-key' }
  | { readonly kind: 'identity-only' }
  | { readonly kind: 'session'; readonly role: Role };

/** `AUTHENTICATION_ERROR` and `FORBIDDEN`, or the operation's own success. */
export type Verdict = 'success' | 'AUTHENTICATION_ERROR' | 'FORBIDDEN';

/** The access line of a contract, read by the requirements alone: what the gateway does has no say here. */
export function verdictOf({ access }: PublicOperation, caller: Standing): Verdict {
  // MISC-07: open to everybody; what else comes along does not matter.
  if (access.credential === 'none') return 'success';
  // OPEN-25: whoever opens a link may stay unknown.
  if (caller.kind === 'nobody' && access.credential === 'optional') return 'success';
  // AUTH-32, AMB-20, AMB-44: no credential, or one that does not hold.
  if (caller.kind === 'nobody' || caller.kind === 'nothing') return 'AUTHENTICATION_ERROR';
  // OPEN-25, LNK-18: what is good and no full session makes nobody known, and keeps nobody out.
  if (access.credential === 'optional') return 'success';
  // AUTH-09, AUTH-33, AMB-19: the one errand of an identity-only session, which is nobody else's.
  if (access.credential === 'identity-only') return allowedIf(caller.kind === 'identity-only');
  if (caller.kind === 'identity-only') return 'FORBIDDEN';
  // AMB-17: an API key counts as an admin, except where a session is named.
  if (caller.kind === 'api-key') return allowedIf(access.credential === 'key');
  // AUTH-34, OPEN-07: an owner satisfies admin. The seat has no say (AMB-18).
  return allowedIf(access.role !== 'admin' || caller.role !== 'member');
}

function allowedIf(holds: boolean): Verdict {
  return holds ? 'success' : 'FORBIDDEN';
}

/** The verdict as an answer shows it: what the operation answers to who may call it, or the refusal. */
export function answerFor(op: PublicOperation, verdict: Verdict): string {
  return verdict === 'success' ? welcomeOf(op) : shownAs(verdict);
}

/** Operations that are declared and off: whoever may call them is told so (OPEN-24). */
const off: ReadonlyMap<string, ErrorCode> = new Map([
  ['vaults.upload-through-source', 'UPLOAD_SOURCE_DISABLED'],
]);

/** What an operation answers to its sample from somebody who may call it: its status, mostly. */
export function welcomeOf({ name, http }: PublicOperation): string {
  const refusal = off.get(name);
  return refusal ? shownAs(refusal) : String(http.status);
}

function shownAs(code: ErrorCode): string {
  return `${errorStatus[code]} ${code}`;
}

/** An answer in the same words. */
export function shown({ status, error }: ApiResponse): string {
  return error ? `${status} ${error.code}` : String(status);
}

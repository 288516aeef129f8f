import { errorStatus, type ErrorCode, type PublicOperation, type Role, type Seat } from '@vaultsvc/contracts';
import type { ApiResponse } from '@vaultsvc/testing/http';

/**
 * The kinds of callers in the requirements. `anonymous`: without a credential; `invalid`: with a credential that is
 * revoked, expired, forged or of another kind.
 */
export type CallerKind =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'api-key' }
  | { readonly kind: 'identity-only' }
  | { readonly kind: 'session'; readonly role: Role; readonly seat: Seat };

/** An error of the access check, or the success of the operation. */
export type Outcome = 'success' | 'AUTHENTICATION_ERROR' | 'FORBIDDEN';

/** Evaluates the access line of a contract by the requirements, independently of the gateway. */
export function expectedOutcome({ access, http }: PublicOperation, caller: CallerKind): Outcome {
  // MISC-07: no credential is required, and any is ignored.
  if (access.credential === 'none') return 'success';
  // TRAP 91: a provider is known by its signature, which none of these callers has; any credential is ignored.
  if (access.provider !== undefined) return 'AUTHENTICATION_ERROR';
  // OPEN-25: a link may be opened without a credential.
  if (caller.kind === 'anonymous' && access.credential === 'optional') return 'success';
  // AUTH-32, AMB-20, AMB-44: a missing or an invalid credential.
  if (caller.kind === 'anonymous' || caller.kind === 'invalid') return 'AUTHENTICATION_ERROR';
  // OPEN-25, LNK-18: a valid credential other than a full session does not identify the visitor, and is accepted.
  if (access.credential === 'optional') return 'success';
  // AMB-19: reading oneself admits every credential.
  if (access.credential === 'any') return 'success';
  // AUTH-09, AUTH-33, AMB-19: the operations of identity-only sessions, which no other caller may use.
  if (access.credential === 'identity-only') return allowedIf(caller.kind === 'identity-only');
  if (caller.kind === 'identity-only') return 'FORBIDDEN';
  // AMB-17: an API key has the rights of an admin, except for operations that require a session.
  if (caller.kind === 'api-key') return allowedIf(access.credential === 'key');
  // AMB-18: the viewer seat deletes no vault; otherwise the seat does not matter here.
  const isVaultDeletion = `${http.method} ${http.path}` === 'DELETE /v1/vaults/{vault_id}';
  if (isVaultDeletion && caller.seat === 'viewer') return 'FORBIDDEN';
  // AUTH-34, OPEN-07: an owner has the rights of an admin.
  return allowedIf(access.role !== 'admin' || caller.role !== 'member');
}

function allowedIf(holds: boolean): Outcome {
  return holds ? 'success' : 'FORBIDDEN';
}

/** The expected status, with the code of an error. */
export function expectedAnswer(op: PublicOperation, outcome: Outcome): string {
  return outcome === 'success' ? successAnswer(op) : errorAnswer(outcome);
}

/** Operations that are declared but disabled, with their error (OPEN-24), or not configured here (OPEN-31). */
const disabledOperations: ReadonlyMap<string, ErrorCode> = new Map([
  ['vaults.upload-through-source', 'UPLOAD_SOURCE_DISABLED'],
  ['reporting.validate-purchase', 'CONFLICT'],
]);

/** The answer to an authorized caller: the status of success, or the error of a disabled operation. */
export function successAnswer({ name, http }: PublicOperation): string {
  const refusal = disabledOperations.get(name);
  return refusal ? errorAnswer(refusal) : String(http.status);
}

function errorAnswer(code: ErrorCode): string {
  return `${errorStatus[code]} ${code}`;
}

/** The actual answer in the same format. */
export function actualAnswer({ status, error }: ApiResponse): string {
  return error ? `${status} ${error.code}` : String(status);
}

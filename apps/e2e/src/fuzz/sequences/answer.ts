import {
  commonReasons,
  errorReasons,
  isErrorReason,
  type ErrorReason,
  type PublicOperation,
} from '@vaultsvc/contracts';
import { openVaultSession } from '@vaultsvc/contracts/vaults';

/** The inputs of a call. Values are those of the contract, or wrong on purpose. */
export interface CallParts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: object;
}

/** The answer to a call, over HTTP or on the wire. */
export interface Answer {
  readonly status: number;
  /** undefined: a success. */
  readonly reason: ErrorReason | undefined;
  readonly data: unknown;
  readonly details: unknown;
}

/** The promise of a contract or of the platform that an answer broke. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

export function isSuccess({ status }: Answer): boolean {
  return status < 400;
}

/** Whether a limit refused the call before it could mean anything: concurrency, messages, invitations. */
export function isLimited({ status }: Answer): boolean {
  return status === 429;
}

/** The reason of a public error, which must have the code of the table. */
export function reasonOfError(error: { code: string; details?: object }): ErrorReason {
  const { reason } = (error.details ?? {}) as { reason?: unknown };
  if (typeof reason !== 'string' || !isErrorReason(reason) || errorReasons[reason].code !== error.code)
    throw new Violation(`the error table has no ${error.code} with the reason ${String(reason)}`);
  return reason;
}

/** Reasons that only some callers or requests can cause; the access line of the contract decides which. */
function isPossible(reason: ErrorReason, { access }: PublicOperation): boolean {
  switch (reason) {
    case 'ROLE_REQUIRED':
      return access.role === 'admin';
    case 'FULL_SEAT_REQUIRED':
      return access.seat === 'full';
    case 'SESSION_REQUIRED':
      return access.credential === 'session';
    case 'IDENTITY_SESSION_REQUIRED':
      return access.credential === 'identity-only';
    default:
      return true;
  }
}

/** ENV-30: throws for a 5xx, and for a reason that neither the contract nor the platform declares. */
export function assertDeclared(op: PublicOperation, { status, reason, details }: Answer): void {
  if (status >= 500) throw new Violation(`${op.name} answers ${status} ${reason} ${JSON.stringify(details)}`);
  if (reason === undefined) return;
  if (!reasonsOf(op).has(reason)) throw new Violation(`${op.name} does not declare ${reason}`);
}

const reasonsOfOperations = new Map<PublicOperation, ReadonlySet<ErrorReason>>();

function reasonsOf(op: PublicOperation): ReadonlySet<ErrorReason> {
  const known = reasonsOfOperations.get(op);
  if (known) return known;
  const unknown = op.unknown === undefined || op.unknown === 'no-content' ? [] : [op.unknown];
  const common = [...commonReasons].filter((reason) => isPossible(reason, op));
  const ofVault = op.access.vat ? openVaultSession.errors : [];
  const declared = new Set<ErrorReason>([...(op.errors ?? []), ...unknown, ...common, ...ofVault]);
  reasonsOfOperations.set(op, declared);
  return declared;
}

/** The parts of an answer that a caller can compare with those of another. */
export function comparable({ status, reason, details, data }: Answer): string {
  return JSON.stringify({ status, reason, details, data });
}

import {
  errorReasons,
  errorStatus,
  type ErrorCode,
  type ErrorReason,
  type PublicOperation,
} from '@vaultsvc/contracts';
import { readHealth } from '@vaultsvc/contracts/gateway';
import { needsCredential } from '../access/assert-access.js';
import { isOfLinks } from './link-operations.js';

export interface DocumentedError {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
}

/** Every error that an operation may answer, by status: what follows from its contract, and what it declares. */
export function errorsOf(op: PublicOperation): DocumentedError[] {
  const reasons = new Set([...impliedBy(op), ...(op.errors ?? [])]);
  return [...reasons].map(describe).sort((a, b) => a.status - b.status);
}

function describe(reason: ErrorReason): DocumentedError {
  const { code, message } = errorReasons[reason];
  return { status: errorStatus[code], code, message };
}

function impliedBy(op: PublicOperation): ErrorReason[] {
  const { access, body, query, params, unknown, cursor, billable, http } = op;
  const isUnknown = params && unknown !== 'no-content';
  return [
    'HTTPS_REQUIRED',
    ...(body || query || access.vatMissing ? (['VALIDATION_ERROR'] as const) : []),
    ...(cursor ? (['CURSOR_INVALID'] as const) : []),
    ...(needsCredential(op) || access.credential === 'provider' ? (['AUTHENTICATION_ERROR'] as const) : []),
    ...(access.credential === 'optional' ? (['AUTHENTICATION_ERROR'] as const) : []),
    ...(isOfLinks(op) ? (['LINK_ORIGIN_REFUSED'] as const) : []),
    ...kindErrors(op),
    ...sessionErrors(op),
    ...(access.role ? (['ROLE_REQUIRED'] as const) : []),
    ...tokenErrors(op),
    ...(isUnknown ? [unknown ?? 'NOT_FOUND'] : []),
    ...(billable && http.method !== 'GET' ? (['PLAN_REQUIRED', 'QUOTA_EXCEEDED'] as const) : []),
    ...(body ? (['PAYLOAD_TOO_LARGE'] as const) : []),
    ...(op === readHealth ? [] : (['RATE_LIMIT_EXCEEDED'] as const)),
    ...(op.service === 'vaults' ? (['BUSY'] as const) : []), // callers wait for one another there (ADR 16)
    'INTERNAL_ERROR',
  ];
}

/** A page of another origin; and a renewal with neither cookie nor token (OPEN-59). */
function sessionErrors({ session }: PublicOperation): ErrorReason[] {
  if (!session) return [];
  return session === 'renews' ? ['AUTHENTICATION_ERROR', 'ORIGIN_REFUSED'] : ['ORIGIN_REFUSED'];
}

/** What the stage before an operation with a Vault Access Token says of it (OPEN-61). */
function tokenErrors({ access: { vat } }: PublicOperation): ErrorReason[] {
  if (!vat) return [];
  const ofAll = ['VAT_EXPIRED', 'VAT_OUT_OF_SCOPE'] as const;
  return vat === 'write' ? [...ofAll, 'VAT_READ_ONLY'] : [...ofAll];
}

function kindErrors({ access: { credential } }: PublicOperation): ErrorReason[] {
  if (credential === 'identity-only') return ['IDENTITY_SESSION_REQUIRED'];
  if (credential === 'session') return ['SESSION_REQUIRED', 'REGISTRATION_REQUIRED'];
  return credential === 'key' ? ['REGISTRATION_REQUIRED'] : [];
}

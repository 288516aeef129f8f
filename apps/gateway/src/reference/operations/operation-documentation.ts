import {
  BODY_BYTES_MAX,
  errorReasons,
  errorStatus,
  STRUCTURAL_CHARACTERS_MAX,
  type ErrorCode,
  type ErrorReason,
  type PublicOperation,
} from '@vaultsvc/contracts';
import { readHealth } from '@vaultsvc/contracts/gateway';
import { REFRESH_COOKIE } from '../../pipeline/refresh-token-delivery.js';
import { isVatBeforeBody } from '../../pipeline/request-input.js';

/** An error response of an operation. */
export interface DocumentedError {
  readonly reason: ErrorReason;
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
}

/** All errors of an operation, sorted by status: those that its contract implies and those that it declares. */
export function errorsOf(op: PublicOperation): DocumentedError[] {
  const reasons = new Set([...impliedBy(op), ...(op.errors ?? [])]);
  return [...reasons].map(describe).sort((a, b) => a.status - b.status);
}

function describe(reason: ErrorReason): DocumentedError {
  const { code, message } = errorReasons[reason];
  return { reason, status: errorStatus[code], code, message };
}

function impliedBy(op: PublicOperation): ErrorReason[] {
  const { access, body, query, params, unknown, cursor, billable, http, isQueryOpen } = op;
  const isUnknown = params && unknown !== 'no-content';
  const hasNames = !access.provider && (body ?? (isQueryOpen ? undefined : query));
  return [
    'HTTPS_REQUIRED',
    ...(body || query || access.vatMissing ? (['VALIDATION_ERROR'] as const) : []),
    ...(hasNames ? (['FIELD_MISSPELLED'] as const) : []),
    ...(cursor ? (['CURSOR_INVALID'] as const) : []),
    ...credentialErrors(op),
    ...(isLinkOperation(op) ? (['LINK_ORIGIN_REFUSED'] as const) : []),
    ...kindErrors(op),
    ...sessionErrors(op),
    ...(access.role ? (['ROLE_REQUIRED'] as const) : []),
    ...(access.seat ? (['FULL_SEAT_REQUIRED'] as const) : []),
    ...tokenErrors(op),
    ...(isUnknown ? [unknown ?? 'NOT_FOUND'] : []),
    ...(billable && http.method !== 'GET' ? (['PLAN_REQUIRED', 'QUOTA_EXCEEDED'] as const) : []),
    ...(op === readHealth ? [] : (['RATE_LIMIT_EXCEEDED', 'LIMITER_UNAVAILABLE', 'BUSY'] as const)),
    ...(body ? (['PAYLOAD_TOO_LARGE', 'BODY_BUDGET_EXHAUSTED'] as const) : []),
    ...idempotencyErrors(op),
    'INTERNAL_ERROR',
  ];
}

/** Without a credential, with one of another form, and with one that is not accepted. */
function credentialErrors(op: PublicOperation): ErrorReason[] {
  const { credential, provider, vat } = op.access;
  if (credential === 'none') return [];
  if (provider || credential === 'optional') return ['AUTHENTICATION_ERROR'];
  const missing = credential === 'key' || credential === 'any' ? 'CREDENTIALS_MISSING' : 'BEARER_MISSING';
  const keyForms = ['API_KEY_MALFORMED', 'API_KEY_MISSING', 'API_KEY_AS_BEARER'] as const;
  const malformed = missing === 'CREDENTIALS_MISSING' ? keyForms : [];
  return [
    'AUTHENTICATION_ERROR',
    missing,
    ...malformed,
    'BEARER_MALFORMED',
    ...(vat ? (['VAT_MISSING', 'VAT_MALFORMED'] as const) : []),
  ];
}

/** Of a request that is repeated with its Idempotency-Key (OPEN-67). */
function idempotencyErrors({ idempotent }: PublicOperation): ErrorReason[] {
  if (typeof idempotent !== 'object') return [];
  return [
    'IDEMPOTENCY_KEY_REUSED',
    'IDEMPOTENCY_KEY_IN_USE',
    ...(idempotent.secrets ? (['IDEMPOTENCY_KEY_SPENT'] as const) : []),
  ];
}

/** For a page of another origin, and for a renewal with neither cookie nor token (OPEN-59). */
function sessionErrors({ session }: PublicOperation): ErrorReason[] {
  if (!session) return [];
  return session === 'renews' ? ['AUTHENTICATION_ERROR', 'ORIGIN_REFUSED'] : ['ORIGIN_REFUSED'];
}

/** The errors of resolving a Vault Access Token (OPEN-61). */
function tokenErrors({ access: { vat, vatOf } }: PublicOperation): ErrorReason[] {
  if (!vat) return [];
  const ofAll = [
    'VAT_EXPIRED',
    'VAT_OUT_OF_SCOPE',
    ...(vatOf ? (['VAULT_NOT_FOUND'] as const) : []),
  ] as const;
  return vat === 'write' ? [...ofAll, 'VAT_READ_ONLY'] : [...ofAll];
}

function kindErrors({ access: { credential } }: PublicOperation): ErrorReason[] {
  if (credential === 'identity-only') return ['IDENTITY_SESSION_REQUIRED'];
  if (credential === 'session') return ['SESSION_REQUIRED', 'REGISTRATION_REQUIRED'];
  return credential === 'key' ? ['REGISTRATION_REQUIRED'] : [];
}

/** A few words: the first clause of the summary. */
export function titleOf({ summary }: PublicOperation): string {
  return summary.split(/[.:;]/)[0] as string;
}

/** The summary, the accepted callers, and the aliases. */
export function descriptionOf(op: PublicOperation): string {
  return [op.summary, accessSentence(op), aliasSentence(op)].filter(Boolean).join('\n\n');
}

/** The accepted callers in words. */
function accessSentence({ access }: PublicOperation): string {
  if (access.provider) return 'Signed by the provider.';
  const { credential, role, vat, vatOf } = access;
  const kinds = {
    none: 'No credential.',
    optional: 'No credential; a session identifies the visitor.',
    key: 'API key or session.',
    session: 'Session only; API keys are refused.',
    'identity-only': 'A session that has not completed its sign-up.',
    any: 'API key, or a session of either kind.',
  };
  const token =
    vat && `A Vault Access Token that may ${vat}${vatOf === undefined ? '' : `, if the body has ${vatOf}`}.`;
  return [kinds[credential], role && 'Admins and owners.', token].filter(Boolean).join(' ');
}

const MEBIBYTE = 1_048_576;

/** A sentence or two about the limits of the body, and about when it is read. */
export function bodySentence(op: PublicOperation): string {
  const { bodyBytesMax: bytes = BODY_BYTES_MAX, structuralCharactersMax = STRUCTURAL_CHARACTERS_MAX } = op;
  const size = bytes < MEBIBYTE ? `${bytes / 1_024} KiB` : `${bytes / MEBIBYTE} MiB`;
  const characters = structuralCharactersMax.toLocaleString('en-US');
  const limits = `At most ${size} and ${characters} of the characters { [ : , outside strings.`;
  return isVatBeforeBody(op)
    ? `${limits} The Vault Access Token is checked before the body is read.`
    : limits;
}

/** Whether the operation is served on the origins of link pages, and not on that of the API. */
export function isLinkOperation({ http }: PublicOperation): boolean {
  return http.surface === 'links';
}

/** A sentence with the aliases of the operation; undefined without any. */
export function aliasSentence({ http: { method, aliases = [] } }: PublicOperation): string | undefined {
  if (aliases.length === 0) return undefined;
  return `The same at ${aliases.map((path) => `${method} ${path}`).join(', ')}.`;
}

/** A header or cookie of a session operation, as an OpenAPI parameter. */
export interface SessionParameter {
  readonly name: string;
  readonly in: 'header' | 'cookie';
  readonly required: false;
  readonly description: string;
  readonly schema: { readonly type: 'string' };
}

const marker: SessionParameter = {
  name: 'X-VK-Client',
  in: 'header',
  required: false,
  description: `"web" from browsers: the refresh token is then in the cookie ${REFRESH_COOKIE} alone. Others leave it out.`,
  schema: { type: 'string' },
};

const cookie: SessionParameter = {
  name: REFRESH_COOKIE,
  in: 'cookie',
  required: false,
  description: 'With X-VK-Client: web the refresh token, in place of the one in the body. Ignored without.',
  schema: { type: 'string' },
};

/** The header of browsers, and the refresh cookie where it is read; empty for other operations. */
export function sessionParameters({ session }: PublicOperation): readonly SessionParameter[] {
  if (!session) return [];
  return session === 'opens' ? [marker] : [marker, cookie];
}

/** A sentence about what a success does to the refresh cookie; undefined for other operations. */
export function cookieSentence({ session }: PublicOperation): string | undefined {
  if (!session) return undefined;
  return session === 'ends'
    ? `With X-VK-Client: web the cookie ${REFRESH_COOKIE} is deleted.`
    : `With X-VK-Client: web the refresh token is absent here and set as the cookie ${REFRESH_COOKIE}: host-locked, HttpOnly, Secure, SameSite=Strict, for 30 days.`;
}

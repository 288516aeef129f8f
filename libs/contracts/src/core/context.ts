import type { Actor } from './actor.js';

/**
 * The caller of an operation and the limits that apply to it. The gateway creates it (a service does for calls of its own),
 * a MAC authenticates it (OPEN-51), and every handler receives it as its second argument.
 */
export interface CallContext {
  /** `meta.request_id` of the HTTP request that caused this call. */
  readonly requestId: string;
  readonly credential: Credential;
  /** IP address of the caller after the gateway's proxy rules; null for calls that no HTTP request caused. */
  readonly clientIp: string | null;
  /** Epoch milliseconds of the caller's timeout. */
  readonly deadlineMs: number;
  /** Plan and exhausted pools of the account. Present on operations whose contract says `billable`. */
  readonly pools?: PoolAvailability;
  /** Bytes of the request body as received. Present on operations whose contract says `billable`. */
  readonly requestBytes?: number;
  /** The unsealed vault of the caller. Present on operations whose contract says `vat`; with `vatOf` if the body names one. */
  readonly vault?: VaultAccess;
  /** Origin and browser of the visitor. Present on operations of link pages. */
  readonly visit?: LinkVisit;
  /** The client that stores the session. Present on operations whose contract says `session`. */
  readonly client?: SessionClient;
  /** What a provider signed besides the body. Present on operations of providers. */
  readonly signedRequest?: SignedRequest;
  /** `Idempotency-Key` of the request. Present on operations whose contract says `idempotent`, if the caller sent one. */
  readonly idempotencyKey?: string;
  /** The span that makes this call, as W3C `traceparent`; absent while traces are off. */
  readonly trace?: string;
}

/** The parts of a provider's request that its signature is in or covers. */
export interface SignedRequest {
  /** Path and query as received. */
  readonly target: string;
  /** Of `providerHeaders` those that the request has. A repeated one has all its values, joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Where a client stores its refresh token: in an HttpOnly cookie, or itself from the body (AUTH-28, AUTH-30). */
export type TokenDelivery = 'cookie' | 'body';

/** The client of a session. */
export interface SessionClient {
  readonly delivery: TokenDelivery;
  /** The User-Agent header, at most 256 characters, for the audit trail. */
  readonly userAgent: string | null;
}

/** The two origins of link pages. A code is valid on one of them only (OPEN-22). */
export type LinkDomain = 'link' | 'files';

/** A visit of a link page. */
export interface LinkVisit {
  readonly domain: LinkDomain;
  /** The User-Agent header, at most 256 characters, for the audit trail (LNK-22). */
  readonly userAgent: string | null;
}

/** The credential of a caller. API keys and full sessions belong to an account; the other kinds do not. */
export type Credential =
  | AccountCredential
  | IdentityCredential
  | { readonly kind: 'none' | 'provider' | 'service' };

/** An API key or a full session. */
export interface AccountCredential {
  readonly kind: 'api_key' | 'session';
  readonly accountId: string;
  /** null for an API key, which belongs to no user (AMB-21). */
  readonly userId: string | null;
  /** The `key_…` id, or the id of the session family. */
  readonly credentialId: string;
  readonly role: Role;
  readonly seat: Seat;
  /** The integration that acts with this credential (OPEN-28). Absent for calls of its holder. */
  readonly actor?: Actor;
}

/** A session of an identity that has signed in but has not completed the sign-up (AUTH-06). */
export interface IdentityCredential {
  readonly kind: 'identity';
  readonly identityId: string;
  readonly credentialId: string;
}

/** The role of a user (OPEN-07). `owner` includes `admin`; an API key has the role `admin` (AMB-17). */
export type Role = 'owner' | 'admin' | 'member';
/** The seat of a user in the identity pool. */
export type Seat = 'full' | 'viewer';

/** The usage pools of an account. */
export type PoolName = 'storage' | 'bandwidth' | 'identity';

/** Plan and exhausted pools of the account, from the pool snapshot that was read before the call (OPEN-58). */
export interface PoolAvailability {
  readonly plan: 'active' | 'none';
  readonly exhausted: readonly ('storage' | 'bandwidth')[];
}

/** A Vault Access Token that vaults has verified for the account, the vault and the level (OPEN-61). */
export interface VaultAccess {
  /** The token itself, which unwraps the vault key. It is never stored. */
  readonly token: string;
  readonly accessLevel: 'read' | 'read_write';
}

/** The context of operations of an account. */
export interface AccountContext extends CallContext {
  readonly credential: AccountCredential;
}

/** The context of operations with `vat` whose path names the vault. */
export interface VaultContext extends AccountContext {
  readonly vault: VaultAccess;
}

/** The context of a request of a provider before its guard: nothing of it is verified. */
export interface ProviderContext extends CallContext {
  readonly signedRequest: SignedRequest;
}

/** The context of operations of link pages. Its credential is a session of any account, or none. */
export interface VisitContext extends CallContext {
  readonly visit: LinkVisit;
}

/**
 * The context of a call that a service makes for itself: within a request, without the credential of its caller, or for work of
 * its own such as reconciliation, which by default has 5 seconds.
 */
export function serviceContext({
  requestId,
  deadlineMs = Date.now() + 5_000,
}: Pick<CallContext, 'requestId'> & Partial<Pick<CallContext, 'deadlineMs'>>): CallContext {
  return { requestId, credential: { kind: 'service' }, clientIp: null, deadlineMs };
}

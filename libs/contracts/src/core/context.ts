/**
 * Who is calling and what they may still do. Made by the gateway (or by a service for its own errands),
 * authenticated by a MAC (OPEN-51), and the second argument of every handler.
 */
export interface CallContext {
  /** `meta.request_id` of the HTTP request that caused this call. */
  readonly requestId: string;
  readonly credential: Credential;
  /** Address of the caller as the gateway's proxy rules see it; null for calls that no request caused. */
  readonly clientIp: string | null;
  /** Epoch milliseconds after which nobody waits for the answer any more. */
  readonly deadlineMs: number;
  /** Plan and exhausted pools of the account. Present on operations whose contract says `billable`. */
  readonly pools?: PoolAvailability;
  /** Bytes of the request's body as they came. Present on operations whose contract says `billable`. */
  readonly requestBytes?: number;
  /** The vault that the caller has opened. Present on operations whose contract says `vat`. */
  readonly vault?: VaultAccess;
  /** Where and with what a link is opened. Present on operations of link pages. */
  readonly visit?: LinkVisit;
  /** Who keeps the session. Present on operations whose contract says `session`. */
  readonly client?: SessionClient;
}

/** How a caller keeps its refresh token: in a cookie that scripts cannot read, or by itself (AUTH-28, AUTH-30). */
export type TokenDelivery = 'cookie' | 'body';

export interface SessionClient {
  readonly delivery: TokenDelivery;
  /** As the caller names itself, 256 characters at most: for the audit trail. */
  readonly userAgent: string | null;
}

/** The two origins of link pages; a code works on its own one only (OPEN-22). */
export type LinkDomain = 'link' | 'files';

export interface LinkVisit {
  readonly domain: LinkDomain;
  /** As the visitor's browser names itself, 256 characters at most: for the audit trail (LNK-22). */
  readonly userAgent: string | null;
}

/** API keys and full sessions belong to an account; the other kinds do not. */
export type Credential =
  AccountCredential | IdentityCredential | { readonly kind: 'none' | 'provider' | 'service' };

export interface AccountCredential {
  readonly kind: 'api_key' | 'session';
  readonly accountId: string;
  /** null for an API key: a key is no user (AMB-21). */
  readonly userId: string | null;
  /** `key_…` id or the session family. */
  readonly credentialId: string;
  readonly role: Role;
  readonly seat: Seat;
}

/** Signed in at the identity provider, but not registered yet (AUTH-06). */
export interface IdentityCredential {
  readonly kind: 'identity';
  readonly identityId: string;
  readonly credentialId: string;
}

/** OPEN-07. `owner` satisfies `admin` everywhere; an API key counts as admin (AMB-17). */
export type Role = 'owner' | 'admin' | 'member';
export type Seat = 'full' | 'viewer';

export type PoolName = 'storage' | 'bandwidth' | 'identity';

/** Plan and exhausted pools of the account, from the pool snapshot that was read before the call (OPEN-58). */
export interface PoolAvailability {
  readonly plan: 'active' | 'none';
  readonly exhausted: readonly ('storage' | 'bandwidth')[];
}

/** A Vault Access Token that vaults has accepted for this account, vault and level (OPEN-61). */
export interface VaultAccess {
  /** The token itself: it unwraps the vault key. Nobody keeps it. */
  readonly token: string;
  readonly accessLevel: 'read' | 'read_write';
}

/** The context that a handler of an account route receives: the account is certain. */
export interface AccountContext extends CallContext {
  readonly credential: AccountCredential;
}

/** The context that a handler of an operation with `vat` receives. */
export interface VaultContext extends AccountContext {
  readonly vault: VaultAccess;
}

/** The context that a handler of a link page receives. A session is one of any account, or none. */
export interface VisitContext extends CallContext {
  readonly visit: LinkVisit;
}

/** For the errands of a service itself (reconciliation, cache fill): no caller, a short deadline. */
export function serviceContext(requestId: string, deadlineMs = Date.now() + 5_000): CallContext {
  return { requestId, credential: { kind: 'service' }, clientIp: null, deadlineMs };
}

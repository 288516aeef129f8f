/** Who may call an operation: a caller of the API, or a provider. An operation with neither, or both, does not compile. */
export type Access = CallerAccess | ProviderAccess;

/**
 * The accepted callers. `key`: API key or full session (ENV-38). `session`: full session only. `identity-only`: a
 * session that has not completed its sign-up. `any`: an API key or a session of either kind.
 * `none`: anyone, limited per address (OPEN-10). `optional`: anyone; a full session identifies its user (OPEN-25), an
 * invalid credential is refused.
 */
export interface CallerAccess {
  readonly credential: 'none' | 'optional' | 'key' | 'session' | 'identity-only' | 'any';
  /** `admin`: only admins, owners and API keys (AMB-17). */
  readonly role?: 'admin';
  /** `full`: nobody with the viewer seat, in any role (AMB-18). An API key has a full seat. */
  readonly seat?: 'full';
  /** The operation also needs a Vault Access Token of this level for `{vault_id}` (OPEN-61). */
  readonly vat?: 'read' | 'write';
  /**
   * The body field, such as `ingot.vault_id`, that names the vault instead. Without the field no token is needed, and the
   * context has no `vault`. The token is checked after the body is read, whatever its limit, and before its validation.
   */
  readonly vatOf?: string;
  /** The error for a missing Vault Access Token. Default: AUTHENTICATION_ERROR (AMB-10). */
  readonly vatMissing?: 'VALIDATION_ERROR';
  readonly provider?: undefined;
}

/**
 * The provider that signs the requests, or, for `panel`, whose page sends them. The guard of the provider verifies each before
 * the handler, which gets what was verified as its context (ADR 36).
 */
export type ProviderAccess = ChatAccess | CrmAccess | PanelAccess | StripeAccess;

interface ChatAccess extends Without<'webhook' | 'ticket'> {
  readonly provider: 'chatapp';
  /** The body: a form, a form whose field `payload` is JSON, or JSON. */
  readonly content: 'form' | 'payload' | 'json';
}

interface CrmAccess extends Without<'content' | 'ticket'> {
  readonly provider: 'crma' | 'crmb';
  /** Sent by the CRM itself and not for one of its people: the request proxy is refused (OPEN-38). */
  readonly webhook?: true;
}

interface PanelAccess extends Without<'content' | 'webhook'> {
  readonly provider: 'panel';
  /** The bearer is the ticket of `panel_url` instead of the token of the panel (OPEN-66). */
  readonly ticket?: true;
}

interface StripeAccess extends Without<'content' | 'webhook' | 'ticket'> {
  readonly provider: 'stripe';
}

/** These members of another access, and those of callers: they can be read of any access, and set of none but their own. */
type Without<Names extends string> = {
  readonly [Name in Names | Exclude<keyof CallerAccess, 'provider'>]?: undefined;
};

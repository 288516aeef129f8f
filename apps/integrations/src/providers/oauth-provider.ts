import type { AppId } from '@vaultsvc/contracts/integrations';
import type { Remote } from '../installations/installation.repository.js';

/** The tokens of a connection, as they are sealed. */
export interface ProviderTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** Epoch milliseconds; null: until it is revoked. */
  readonly expiresAtMs: number | null;
  /** Where calls with the token go, if the provider has instances. */
  readonly instanceOrigin?: string;
}

/** The workspace, portal or org of a grant. */
export interface GrantedRemote {
  readonly remoteId: string;
  readonly remote: Remote;
}

/** A grant of a provider for one workspace, portal or org. */
export interface ProviderGrant extends GrantedRemote {
  readonly tokens: ProviderTokens;
}

/** What a code was exchanged for. Its tokens are alive: they are stored, or revoked. */
export interface CodeExchange {
  readonly tokens: ProviderTokens;
  /** As the reply names it; undefined where it does not. */
  readonly remoteId: string | undefined;
  /**
   * Whom the tokens are for. Throws VALIDATION_ERROR for a grant that the app cannot use, APP_GRANT_REFUSED for a reply that names
   * nobody, APP_PROVIDER_UNAVAILABLE.
   */
  identify(): Promise<GrantedRemote>;
}

/** An authorization code with the redirect URI to which it was sent. */
export interface AuthorizationCode {
  readonly code: string;
  readonly redirectUri: string;
}

/** An authorization request (RFC 6749, 4.1.1). */
export interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly state: string;
}

/** The authorization server of a provider (RFC 6749). */
export interface OAuthProvider {
  readonly appId: AppId;
  /** Whether the operator has set the credentials of the app. */
  readonly isConfigured: boolean;
  /** The consent page, with the scopes that the app needs. */
  authorizeUrl(request: AuthorizationRequest): URL;
  /** Exchanges a code. Throws APP_GRANT_REFUSED when the provider refuses it, APP_PROVIDER_UNAVAILABLE when it does not answer. */
  exchange(code: AuthorizationCode): Promise<CodeExchange>;
  /** Newer tokens; undefined when the provider has ended the grant. @throws APP_PROVIDER_UNAVAILABLE */
  refresh(tokens: ProviderTokens): Promise<ProviderTokens | undefined>;
  /** Ends the tokens and what the app is at the provider. Resolves if they have ended already. @throws while the provider does not answer */
  revoke(tokens: ProviderTokens): Promise<void>;
  /** Ends these tokens alone: another connection of the same workspace, portal or org lives on. @throws as `revoke` */
  revokeTokens(tokens: ProviderTokens): Promise<void>;
  /** Whom tokens are for whose exchange did not say; undefined where they have ended, or nobody can tell. @throws as `revoke` */
  remoteIdOf(tokens: ProviderTokens): Promise<string | undefined>;
}

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

/** A grant of a provider for one workspace, portal or org. */
export interface ProviderGrant {
  readonly remoteId: string;
  readonly remote: Remote;
  readonly tokens: ProviderTokens;
}

/** An authorization code with the redirect URI to which it was sent. */
export interface AuthorizationCode {
  readonly code: string;
  readonly redirectUri: string;
}

/** The authorization server of a provider (RFC 6749). */
export interface OAuthProvider {
  readonly appId: AppId;
  /** Whether the operator has set the credentials of the app. */
  readonly isConfigured: boolean;
  /**
   * Exchanges a code. Throws APP_GRANT_REFUSED when the provider refuses it, APP_PROVIDER_UNAVAILABLE when it does not answer,
   * VALIDATION_ERROR for a grant that the app cannot use.
   */
  exchange(code: AuthorizationCode): Promise<ProviderGrant>;
  /** Newer tokens; undefined when the provider has ended the grant. @throws APP_PROVIDER_UNAVAILABLE */
  refresh(tokens: ProviderTokens): Promise<ProviderTokens | undefined>;
  /** Ends the tokens. Resolves if they have ended already. @throws while the provider does not answer */
  revoke(tokens: ProviderTokens): Promise<void>;
}

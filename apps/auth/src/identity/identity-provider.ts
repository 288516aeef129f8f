import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { CONSOLE_CALLBACK, type CodeReceiver, type SignInClient } from '@vaultsvc/contracts/auth';
import {
  AuthorizationResponseError,
  fetchUserInfo,
  genericGrantRequest,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { AuthConfig } from '../config.js';
import { discoverProvider, KEYS_COOL_DOWN_MS, type DiscoveredProvider } from './discover-provider.js';
import { IdTokenRefused, verifyIdToken, type IdTokenClaims } from './id-token.js';
import {
  verifyIdentityClaims,
  hasEmailClaims,
  type PersonClaims,
  type VerifiedIdentity,
} from './verified-identity.js';
import { types } from 'node:util';

/** How long a discovery document is cached. */
const METADATA_MS = 10 * 60_000;

/**
 * The configured OpenID Connect provider (OPEN-47). Discovery runs at the first sign-in: while the provider is down the
 * service starts, and API keys and open sessions work. Three errors: the person is not confirmed (401 IDENTITY_REFUSED), the
 * address is not verified (401 EMAIL_NOT_VERIFIED), or the provider failed (500, with `ProviderFault` in the log).
 */
@Injectable()
export class IdentityProvider {
  #known?: { readonly provider: Promise<DiscoveredProvider>; readonly untilMs: number };

  constructor(private readonly config: AuthConfig) {}

  /**
   * Exchanges an authorization code, once. The PKCE verifier binds it to the client that started the sign-in. That client
   * checks `state` and `iss` of the redirect and a nonce: they never reach us.
   */
  async exchangeCode(
    code: string,
    codeVerifier: string,
    receiver?: CodeReceiver['redirect'],
  ): Promise<VerifiedIdentity> {
    const provider = await this.#provider();
    const tokens = await this.#exchange(provider, {
      code,
      code_verifier: codeVerifier,
      // The provider compares it with that of the authorization request (RFC 6749, 4.1.3).
      redirect_uri: receiver === 'console' ? this.#consoleRedirectUri : this.config.OIDC_REDIRECT_URI,
    });
    if (tokens.id_token === undefined) throw fault('token request', 'the answer has no id_token');
    const claims = await this.#verify(provider, tokens.id_token);
    // The provider has just issued this token to us: if it is invalid, the provider is at fault.
    if (claims instanceof IdTokenRefused) throw fault('ID token of the token request', claims);
    const person = await this.#personOf(provider, claims, tokens.access_token);
    return verifyIdentityClaims(provider.issuer, claims.sub, person);
  }

  /** The parameters with which the console starts a sign-in (OPEN-65). Throws INTERNAL_ERROR for a provider without the endpoint. */
  async signInClient(): Promise<SignInClient> {
    const { issuer, configuration } = await this.#provider();
    const { authorization_endpoint: endpoint } = configuration.serverMetadata();
    if (endpoint === undefined) throw fault('discovery', 'there is no authorization_endpoint');
    return {
      issuer,
      authorization_endpoint: endpoint,
      client_id: this.config.OIDC_CLIENT_ID,
      redirect_uri: this.#consoleRedirectUri,
    };
  }

  get #consoleRedirectUri(): string {
    return `${this.config.API_ORIGIN}${CONSOLE_CALLBACK}`;
  }

  /** Verifies an ID token that the caller received from the provider (AUTH-08). */
  async verifyIdToken(token: string): Promise<VerifiedIdentity> {
    const provider = await this.#provider();
    const claims = await this.#verify(provider, token);
    if (claims instanceof IdTokenRefused) throw refused(claims);
    return verifyIdentityClaims(provider.issuer, claims.sub, claims);
  }

  /** Concurrent callers share one discovery; after a failure the next caller runs it again. */
  #provider(): Promise<DiscoveredProvider> {
    const nowMs = performance.now();
    if (this.#known && nowMs < this.#known.untilMs) return this.#known.provider;
    const provider = discoverProvider(this.config).catch((error: unknown) => {
      if (this.#known?.provider === provider) this.#known = undefined;
      throw fault('discovery', error);
    });
    this.#known = { provider, untilMs: nowMs + METADATA_MS };
    return provider;
  }

  async #exchange({ configuration }: DiscoveredProvider, parameters: Readonly<Record<string, string>>) {
    try {
      return await genericGrantRequest(configuration, 'authorization_code', parameters);
    } catch (error) {
      throw isRefusal(error) ? refused(error) : fault('token request', error);
    }
  }

  async #verify(provider: DiscoveredProvider, token: string): Promise<IdTokenClaims | IdTokenRefused> {
    const { issuer, keys } = provider;
    const rules = { issuer, keys, clientId: this.config.OIDC_CLIENT_ID, coolDownMs: KEYS_COOL_DOWN_MS };
    return verifyIdToken(token, rules).catch((error: unknown) => {
      if (error instanceof IdTokenRefused) return error;
      throw fault('keys', error);
    });
  }

  /** Providers may return the claims of a scope at the userinfo endpoint only (OpenID Connect Core, 5.4). */
  async #personOf(
    provider: DiscoveredProvider,
    claims: IdTokenClaims,
    accessToken: string,
  ): Promise<PersonClaims> {
    if (hasEmailClaims(claims) || !provider.hasUserinfo) return claims;
    try {
      // Rejects a response about another subject (OpenID Connect Core, 5.3.2).
      return await fetchUserInfo(provider.configuration, accessToken, claims.sub);
    } catch (error) {
      throw fault('userinfo', error);
    }
  }
}

/**
 * RFC 6749, 5.2, and RFC 7636, 4.6: `invalid_grant` for a code or verifier that is wrong, used or expired. Some providers
 * answer `invalid_request` for a malformed code. All other errors concern our client, not the person.
 */
function isRefusal(error: unknown): boolean {
  return ['invalid_grant', 'invalid_request'].includes(oauthErrorOf(error) ?? '');
}

function refused(cause: unknown): AppError {
  return new AppError('IDENTITY_REFUSED', undefined, { cause });
}

function fault(during: string, problem: unknown): AppError {
  return new AppError('INTERNAL_ERROR', undefined, { cause: new ProviderFault(during, problem) });
}

/**
 * The provider is down, responds with garbage, or rejects our client. For the operator's log only. The message is our own,
 * because the causes that the libraries attach contain whole responses, tokens included.
 */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault';

  constructor(during: string, problem: unknown) {
    super(`identity provider, ${during}: ${describe(problem)}`);
  }
}

/** The error code of an OAuth error response (RFC 6749, 5.2), if it is one. */
export function oauthErrorOf(error: unknown): string | undefined {
  return error instanceof ResponseBodyError || error instanceof AuthorizationResponseError
    ? error.error
    : undefined;
}

const DESCRIPTION_CHARACTERS_MAX = 200;

function describe(problem: unknown): string {
  if (typeof problem === 'string') return problem;
  if (problem instanceof ResponseBodyError) {
    const said = problem.error_description?.slice(0, DESCRIPTION_CHARACTERS_MAX) ?? '';
    return `answered ${problem.status} ${problem.error} ${said}`.trim();
  }
  if (problem instanceof WWWAuthenticateChallengeError) {
    const said = problem.cause.map(({ scheme, parameters }) => `${scheme} ${parameters.error ?? ''}`.trim());
    return `answered ${problem.status} and asked for ${said.join(', ')}`;
  }
  return types.isNativeError(problem) ? chainOf(problem).join(': ') : 'failed';
}

/** Messages and codes along the chain of causes. A SyntaxError is left out, because it quotes its input. */
function chainOf(error: Error): string[] {
  if (error.name === 'SyntaxError') return ['not JSON'];
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  const rest = types.isNativeError(error.cause) ? chainOf(error.cause) : [];
  return [`${error.message}${code}`, ...rest];
}

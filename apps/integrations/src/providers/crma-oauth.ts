import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { IntegrationsConfig } from '../config.js';
import type {
  AuthorizationCode,
  AuthorizationRequest,
  CodeExchange,
  GrantedRemote,
  OAuthProvider,
  ProviderTokens,
} from './oauth-provider.js';
import { requestProvider, textIn, type ProviderReply } from './provider-request.js';

/** OAuth of crma: the portal of a token is read from the token. */
@Injectable()
export class CrmaOAuth implements OAuthProvider {
  readonly appId = 'crma';

  constructor(private readonly config: IntegrationsConfig) {}

  get isConfigured(): boolean {
    return this.config.CRMA_CLIENT_ID !== '';
  }

  authorizeUrl({ redirectUri, state }: AuthorizationRequest): URL {
    const query = new URLSearchParams({
      client_id: this.config.CRMA_CLIENT_ID,
      redirect_uri: redirectUri,
      scope: 'oauth crm.objects.contacts.read',
      state,
    });
    return new URL(`/oauth/authorize?${query.toString()}`, this.config.CRMA_AUTHORIZE_ORIGIN);
  }

  async exchange({ code, redirectUri }: AuthorizationCode): Promise<CodeExchange> {
    const reply = await this.#token({ grant_type: 'authorization_code', redirect_uri: redirectUri, code });
    const tokens = tokensOf(reply);
    if (!tokens) throw new AppError('APP_GRANT_REFUSED');
    return { tokens, remoteId: undefined, identify: () => this.#portalOf(tokens.accessToken) };
  }

  /** Access tokens are valid for half an hour. */
  async refresh(tokens: ProviderTokens): Promise<ProviderTokens | undefined> {
    const refreshToken = tokens.refreshToken ?? '';
    const reply = await this.#token({ grant_type: 'refresh_token', refresh_token: refreshToken });
    const refreshed = tokensOf(reply);
    if (refreshed) return { ...refreshed, refreshToken: refreshed.refreshToken ?? tokens.refreshToken };
    if (reply.status === 400 && textIn(reply.json, 'status') === 'BAD_REFRESH_TOKEN') return undefined;
    throw new AppError('APP_PROVIDER_UNAVAILABLE');
  }

  /** Uninstalls the app from the portal. A token that has ended has nothing to uninstall. */
  async revoke(tokens: ProviderTokens): Promise<void> {
    const { accessToken } = isExpired(tokens) ? ((await this.refresh(tokens)) ?? tokens) : tokens;
    await requestProvider(this.#url('/appinstalls/v3/external-install'), {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${accessToken}` },
    });
  }

  /** Ends the refresh token; the app stays in the portal, and the access token ends within half an hour. */
  async revokeTokens({ refreshToken }: ProviderTokens): Promise<void> {
    const url = this.#url(`/oauth/v1/refresh-tokens/${encodeURIComponent(refreshToken ?? '')}`);
    if (refreshToken !== null) await requestProvider(url, { method: 'DELETE' });
  }

  async remoteIdOf({ accessToken }: ProviderTokens): Promise<string | undefined> {
    try {
      return (await this.#portalOf(accessToken)).remoteId;
    } catch (error) {
      if (error instanceof AppError && error.reason === 'APP_GRANT_REFUSED') return undefined;
      throw error;
    }
  }

  #token(grant: Readonly<Record<string, string>>): Promise<ProviderReply> {
    const client = {
      client_id: this.config.CRMA_CLIENT_ID,
      client_secret: this.config.CRMA_CLIENT_SECRET.reveal(),
    };
    return requestProvider(this.#url('/oauth/v1/token'), { form: { ...client, ...grant } });
  }

  async #portalOf(accessToken: string): Promise<GrantedRemote> {
    const url = this.#url(`/oauth/v1/access-tokens/${encodeURIComponent(accessToken)}`);
    const { status, json } = await requestProvider(url, { method: 'GET' });
    const remoteId = textIn(json, 'hub_id');
    if (status !== 200 || !remoteId) throw new AppError('APP_GRANT_REFUSED');
    return { remoteId, remote: { name: textIn(json, 'hub_domain') ?? remoteId } };
  }

  #url(path: string): URL {
    return new URL(path, this.config.CRMA_API_ORIGIN);
  }
}

function tokensOf({ status, json }: ProviderReply): ProviderTokens | undefined {
  const accessToken = textIn(json, 'access_token');
  if (status !== 200 || accessToken === undefined) return undefined;
  const seconds = Number(json['expires_in'] ?? 0);
  const refreshToken = textIn(json, 'refresh_token') ?? null;
  return { accessToken, refreshToken, expiresAtMs: Date.now() + seconds * 1_000 };
}

/** Also tokens that end before a request with them arrives. */
function isExpired({ expiresAtMs }: ProviderTokens): boolean {
  return expiresAtMs !== null && expiresAtMs < Date.now() + 60_000;
}

import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { IntegrationsConfig } from '../config.js';
import type { AuthorizationCode, OAuthProvider, ProviderGrant, ProviderTokens } from './oauth-provider.js';
import { postForm, requestProvider, textIn } from './provider-request.js';

/** OAuth of crma: the portal of a token is read from the token. */
@Injectable()
export class CrmaOAuth implements OAuthProvider {
  readonly appId = 'crma';

  constructor(private readonly config: IntegrationsConfig) {}

  get isConfigured(): boolean {
    return this.config.CRMA_CLIENT_ID !== '';
  }

  async exchange({ code, redirectUri }: AuthorizationCode): Promise<ProviderGrant> {
    const reply = await postForm(this.#url('/oauth/v1/token'), {
      grant_type: 'authorization_code',
      client_id: this.config.CRMA_CLIENT_ID,
      client_secret: this.config.CRMA_CLIENT_SECRET.reveal(),
      redirect_uri: redirectUri,
      code,
    });
    const accessToken = textIn(reply.json, 'access_token');
    if (reply.status !== 200 || !accessToken) throw new AppError('APP_GRANT_REFUSED');
    const seconds = Number(reply.json?.['expires_in'] ?? 0);
    const refreshToken = textIn(reply.json, 'refresh_token') ?? null;
    const tokens = { accessToken, refreshToken, expiresAtMs: Date.now() + seconds * 1_000 };
    return { ...(await this.#portalOf(accessToken)), tokens };
  }

  /** Uninstalls the app from the portal. A token that has ended has nothing to uninstall. */
  async revoke({ accessToken }: ProviderTokens): Promise<void> {
    await requestProvider(this.#url('/appinstalls/v3/external-install'), {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${accessToken}` },
    });
  }

  async #portalOf(accessToken: string): Promise<Pick<ProviderGrant, 'remoteId' | 'remote'>> {
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

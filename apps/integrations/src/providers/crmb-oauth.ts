import { Injectable } from '@nestjs/common';
import { isLoopback } from '@vaultsvc/config';
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

/** Domains of instances. Tokens are sent to no other host, whatever a reply names. */
const INSTANCE_DOMAINS = ['.salesforce.com', '.force.com', '.salesforce.mil', '.cloudforce.com'];
/** An org id has 15 case-sensitive characters, and 18 with a checksum of their case. */
const ORG_ID = /^00D[0-9A-Za-z]{12}(?:[0-9A-Za-z]{3})?$/;

/** OAuth of crmb: the org is in the identity URL of the reply, and calls go to the instance that it names. */
@Injectable()
export class CrmbOAuth implements OAuthProvider {
  readonly appId = 'crmb';

  constructor(private readonly config: IntegrationsConfig) {}

  get isConfigured(): boolean {
    return this.config.CRMB_CLIENT_ID !== '';
  }

  authorizeUrl({ redirectUri, state }: AuthorizationRequest): URL {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: this.config.CRMB_CLIENT_ID,
      redirect_uri: redirectUri,
      scope: 'api refresh_token',
      state,
    });
    return new URL(`/services/oauth2/authorize?${query.toString()}`, this.config.CRMB_LOGIN_ORIGIN);
  }

  async exchange({ code, redirectUri }: AuthorizationCode): Promise<CodeExchange> {
    const { status, json } = await this.#token({
      grant_type: 'authorization_code',
      redirect_uri: redirectUri,
      code,
    });
    const accessToken = textIn(json, 'access_token');
    if (status !== 200 || !accessToken) throw new AppError('APP_GRANT_REFUSED');
    const refreshToken = textIn(json, 'refresh_token') ?? null;
    const instanceOrigin = this.#instanceOrigin(textIn(json, 'instance_url'));
    const orgId = orgIdIn(json);
    const tokens = {
      accessToken,
      refreshToken,
      expiresAtMs: null,
      ...(instanceOrigin && { instanceOrigin }),
    };
    return { tokens, remoteId: orgId, identify: async () => orgOf(orgId, instanceOrigin) };
  }

  async refresh(tokens: ProviderTokens): Promise<ProviderTokens | undefined> {
    const refreshToken = tokens.refreshToken ?? '';
    const { status, json } = await this.#token({ grant_type: 'refresh_token', refresh_token: refreshToken });
    const accessToken = textIn(json, 'access_token');
    if (status === 200 && accessToken) {
      // An org may rotate its refresh tokens.
      return { ...tokens, accessToken, refreshToken: textIn(json, 'refresh_token') ?? tokens.refreshToken };
    }
    if (status === 400 && textIn(json, 'error') === 'invalid_grant') return undefined;
    throw new AppError('APP_PROVIDER_UNAVAILABLE');
  }

  /** An unknown token is answered with 400, which ends the matter, too. */
  async revoke({ accessToken, refreshToken }: ProviderTokens): Promise<void> {
    const url = new URL('/services/oauth2/revoke', this.config.CRMB_LOGIN_ORIGIN);
    await requestProvider(url, { form: { token: refreshToken ?? accessToken } });
  }

  /** Other grants of the org keep their tokens. */
  revokeTokens(tokens: ProviderTokens): Promise<void> {
    return this.revoke(tokens);
  }

  /** The exchange says it. */
  async remoteIdOf(): Promise<undefined> {
    return undefined;
  }

  #token(grant: Readonly<Record<string, string>>): Promise<ProviderReply> {
    const client = {
      client_id: this.config.CRMB_CLIENT_ID,
      client_secret: this.config.CRMB_CLIENT_SECRET.reveal(),
    };
    const url = new URL('/services/oauth2/token', this.config.CRMB_LOGIN_ORIGIN);
    return requestProvider(url, { form: { ...client, ...grant } });
  }

  #instanceOrigin(text: string | undefined): string | undefined {
    const url = text && URL.canParse(text) ? new URL(text) : undefined;
    if (!url) return undefined;
    const isKnown =
      url.protocol === 'https:' && INSTANCE_DOMAINS.some((domain) => url.hostname.endsWith(domain));
    const isLocal = this.config.PROFILE === 'local' && isLoopback(url.hostname);
    return isKnown || isLocal ? url.origin : undefined;
  }
}

/** Both forms of an id are one org. */
function orgIdIn(json: ProviderReply['json']): string | undefined {
  const orgId = textIn(json, 'id')?.split('/').at(-2) ?? '';
  return ORG_ID.test(orgId) ? orgId.slice(0, 15) : undefined;
}

/** Throws APP_GRANT_REFUSED unless org and instance are known. */
function orgOf(orgId: string | undefined, instanceOrigin: string | undefined): GrantedRemote {
  if (!orgId || !instanceOrigin) throw new AppError('APP_GRANT_REFUSED');
  return {
    remoteId: orgId,
    remote: { name: new URL(instanceOrigin).hostname, instance_origin: instanceOrigin },
  };
}

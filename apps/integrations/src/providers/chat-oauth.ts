import { Injectable } from '@nestjs/common';
import { AppError, validationError } from '@vaultsvc/contracts';
import { ErrorCode, type OauthV2AccessResponse } from '@slack/web-api';
import { newClient } from '../chat/chat-client.js';
import { IntegrationsConfig } from '../config.js';
import type { AuthorizationCode, OAuthProvider, ProviderGrant, ProviderTokens } from './oauth-provider.js';

/** The scopes without which nobody can send a secret (CHT-01). */
const REQUIRED_SCOPES = ['commands', 'chat:write'];
/** Errors that say that the token has ended already. */
const ENDED = ['invalid_auth', 'account_inactive', 'token_revoked', 'token_expired', 'not_authed'];

/** OAuth of the chat platform. Its API answers errors with 200 and `ok: false`. */
@Injectable()
export class ChatOAuth implements OAuthProvider {
  readonly appId = 'chatapp';

  constructor(private readonly config: IntegrationsConfig) {}

  get isConfigured(): boolean {
    return this.config.CHATAPP_CLIENT_ID !== '';
  }

  async exchange({ code, redirectUri }: AuthorizationCode): Promise<ProviderGrant> {
    const { CHATAPP_CLIENT_ID, CHATAPP_CLIENT_SECRET } = this.config;
    const reply = await newClient(this.config)
      .oauth.v2.access({
        client_id: CHATAPP_CLIENT_ID,
        client_secret: CHATAPP_CLIENT_SECRET.reveal(),
        code,
        redirect_uri: redirectUri,
      })
      .catch((error: unknown) => {
        throw refusalOf(error);
      });
    return grantOf(reply);
  }

  /** Bot tokens do not expire while token rotation is off, as the manifest of the app says. */
  async refresh(tokens: ProviderTokens): Promise<ProviderTokens> {
    return tokens;
  }

  async revoke({ accessToken }: ProviderTokens): Promise<void> {
    try {
      await newClient(this.config, accessToken).auth.revoke();
    } catch (error) {
      if (!hasTokenEnded(error)) throw error;
    }
  }
}

/** Throws VALIDATION_ERROR for grants of whole organizations, and of too few scopes (CHT-01, CHT-02). */
function grantOf(reply: OauthV2AccessResponse): ProviderGrant {
  const { access_token: accessToken, team, scope = '', bot_user_id, app_id } = reply;
  if (reply.is_enterprise_install || !team?.id)
    throw validationError({
      field: 'code',
      message: 'must be of one workspace: the app cannot be installed for a whole organization',
    });
  const scopes = scope.split(',').map((one) => one.trim());
  const missing = REQUIRED_SCOPES.filter((one) => !scopes.includes(one));
  if (missing.length > 0)
    throw validationError({ field: 'code', message: `lacks the bot scopes ${missing.join(' and ')}` });
  if (!accessToken) throw new AppError('APP_GRANT_REFUSED');
  const expiresAtMs = reply.expires_in === undefined ? null : Date.now() + reply.expires_in * 1_000;
  return {
    remoteId: team.id,
    remote: { name: team.name ?? team.id, bot_user_id: bot_user_id ?? null, app_id: app_id ?? null, scopes },
    tokens: { accessToken, refreshToken: reply.refresh_token ?? null, expiresAtMs },
  };
}

/** The code of an error that the platform has answered; undefined for any other failure. */
export function platformError(error: unknown): string | undefined {
  const { code, data } = error as { code?: string; data?: { error?: string } };
  return code === ErrorCode.PlatformError ? data?.error : undefined;
}

/** Whether the platform has refused a call because its token has ended. */
export function hasTokenEnded(error: unknown): boolean {
  return ENDED.includes(platformError(error) ?? '');
}

function refusalOf(error: unknown): AppError {
  const answered = platformError(error);
  const isMomentary =
    answered === undefined || ['ratelimited', 'internal_error', 'fatal_error'].includes(answered);
  return new AppError(isMomentary ? 'APP_PROVIDER_UNAVAILABLE' : 'APP_GRANT_REFUSED', undefined, {
    cause: error,
  });
}

import { Injectable } from '@nestjs/common';
import { AppError, validationError } from '@vaultsvc/contracts';
import { ErrorCode, type OauthV2AccessResponse } from '@slack/web-api';
import { IntegrationsConfig } from '../config.js';
import { newChatClient } from './new-chat-client.js';
import type {
  AuthorizationCode,
  AuthorizationRequest,
  CodeExchange,
  GrantedRemote,
  OAuthProvider,
  ProviderTokens,
} from './oauth-provider.js';

/** The bot scopes that the app asks for (CHT-26). */
const SCOPES = [
  'commands',
  'chat:write',
  'chat:write.public',
  'channels:join',
  'users:read',
  'channels:read',
  'groups:read',
  'im:read',
  'im:history',
  'mpim:read',
];
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

  authorizeUrl({ redirectUri, state }: AuthorizationRequest): URL {
    const query = new URLSearchParams({
      client_id: this.config.CHATAPP_CLIENT_ID,
      redirect_uri: redirectUri,
      scope: SCOPES.join(),
      state,
    });
    return new URL(`/oauth/v2/authorize?${query.toString()}`, this.config.CHATAPP_API_ORIGIN);
  }

  async exchange({ code, redirectUri }: AuthorizationCode): Promise<CodeExchange> {
    const { CHATAPP_CLIENT_ID, CHATAPP_CLIENT_SECRET } = this.config;
    const reply = await newChatClient(this.config)
      .oauth.v2.access({
        client_id: CHATAPP_CLIENT_ID,
        client_secret: CHATAPP_CLIENT_SECRET.reveal(),
        code,
        redirect_uri: redirectUri,
      })
      .catch((error: unknown) => {
        throw refusalOf(error);
      });
    return { tokens: tokensOf(reply), remoteId: reply.team?.id, identify: async () => workspaceOf(reply) };
  }

  /** Bot tokens do not expire while token rotation is off, as the manifest of the app says; `auth.test` says whether they live (OPEN-38, APP-24). */
  async refresh(tokens: ProviderTokens): Promise<ProviderTokens | undefined> {
    try {
      await newChatClient(this.config, tokens.accessToken).auth.test();
      return tokens;
    } catch (error) {
      if (hasTokenEnded(error)) return undefined;
      throw new AppError('APP_PROVIDER_UNAVAILABLE', undefined, { cause: error });
    }
  }

  async revoke({ accessToken }: ProviderTokens): Promise<void> {
    try {
      await newChatClient(this.config, accessToken).auth.revoke();
    } catch (error) {
      if (!hasTokenEnded(error)) throw error;
    }
  }

  /** A workspace has one bot token; another one is of an earlier installation. */
  revokeTokens(tokens: ProviderTokens): Promise<void> {
    return this.revoke(tokens);
  }

  /** The exchange says it; a grant of a whole organization is of no workspace. */
  async remoteIdOf(): Promise<undefined> {
    return undefined;
  }
}

/** Throws APP_GRANT_REFUSED for a reply without a token. */
function tokensOf({ access_token, refresh_token, expires_in }: OauthV2AccessResponse): ProviderTokens {
  if (!access_token) throw new AppError('APP_GRANT_REFUSED');
  const expiresAtMs = expires_in === undefined ? null : Date.now() + expires_in * 1_000;
  return { accessToken: access_token, refreshToken: refresh_token ?? null, expiresAtMs };
}

/** Throws VALIDATION_ERROR for grants of whole organizations, and of too few scopes (CHT-01, CHT-02). */
function workspaceOf(reply: OauthV2AccessResponse): GrantedRemote {
  const { team, scope = '', bot_user_id, app_id } = reply;
  if (reply.is_enterprise_install || !team?.id)
    throw validationError({
      field: 'code',
      message: 'must be of one workspace: the app cannot be installed for a whole organization',
    });
  const scopes = scope.split(',').map((one) => one.trim());
  const missing = REQUIRED_SCOPES.filter((one) => !scopes.includes(one));
  if (missing.length > 0)
    throw validationError({ field: 'code', message: `lacks the bot scopes ${missing.join(' and ')}` });
  return {
    remoteId: team.id,
    remote: { name: team.name ?? team.id, bot_user_id: bot_user_id ?? null, app_id: app_id ?? null, scopes },
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

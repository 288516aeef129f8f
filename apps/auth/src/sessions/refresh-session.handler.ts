import { Controller } from '@nestjs/common';
import { AppError, type CallContext, type Input } from '@vaultsvc/contracts';
import { refreshSession, type RefreshedSession } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { ACCESS_TOKEN_SECONDS } from '../tokens/access-tokens.js';
import { RefreshTokenExchange } from './refresh-token-exchange.js';
import { RefreshTokens, type AuthenticRefreshToken } from './refresh-tokens.js';
import { SessionRecordWriter } from './session-record-writer.js';
import { clientOf, SessionIssuer } from './session-issuer.js';

@Controller()
export class RefreshSession {
  constructor(
    private readonly tokens: RefreshTokens,
    private readonly exchange: RefreshTokenExchange,
    private readonly sessions: SessionIssuer,
    private readonly records: SessionRecordWriter,
  ) {}

  @Handles(refreshSession)
  async handle({ body }: Input<typeof refreshSession>, context: CallContext): Promise<RefreshedSession> {
    const token = await this.#accept(body.refresh_token, context);
    const { family } = token;
    // Before the exchange: when KMS is down, the caller keeps an unused token.
    const accessToken = await this.sessions.accessToken(family);
    const generation = await this.#exchange(token, context);
    return {
      ...(await this.sessions.answer(family, generation, accessToken)),
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_SECONDS,
      session_type: family.owner.sessionType,
    };
  }

  /** Runs before any lock, so that a forged token can neither delay nor end a session. */
  async #accept(text: string | undefined, context: CallContext): Promise<AuthenticRefreshToken> {
    if (text === undefined) throw new AppError('AUTHENTICATION_ERROR');
    const token = await this.tokens.recognise(text);
    // The wrong delivery may be theft or a misconfigured client: refuse it and change nothing (AUTH-19).
    if (token?.family.delivery !== clientOf(context).delivery) throw new AppError('REFRESH_TOKEN_INVALID');
    return token;
  }

  async #exchange(token: AuthenticRefreshToken, context: CallContext): Promise<number> {
    const exchange = await this.exchange.exchange(token, context);
    if (exchange.outcome === 'exchanged') return exchange.generation;
    // Also when it had ended before, so that a retry repairs the cache after a failure of Redis.
    await this.records.renew([token.family.id]);
    if (exchange.outcome === 'dead') throw new AppError('REFRESH_TOKEN_INVALID');
    throw new AppError('TOKEN_REPLAY');
  }
}

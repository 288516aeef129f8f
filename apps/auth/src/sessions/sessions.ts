import { Inject, Injectable } from '@nestjs/common';
import type { CallContext, SessionClient } from '@vaultsvc/contracts';
import { OpenedSession, sessionOpened } from '@vaultsvc/contracts/auth';
import type { Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { AuthConfig } from '../config.js';
import { AccessTokens } from '../tokens/access-tokens.js';
import { RefreshTokens } from './refresh-tokens.js';
import { SessionPartiesRepository } from './session-parties.repository.js';
import { SessionRepository, type Family, type SessionOwner } from './session.repository.js';

/** Opens sessions and makes the tokens of open ones. */
@Injectable()
export class Sessions {
  constructor(
    @Inject(SessionRepository) private readonly repository: SessionRepository,
    @Inject(SessionPartiesRepository) private readonly parties: SessionPartiesRepository,
    @Inject(RefreshTokens) private readonly refreshTokens: RefreshTokens,
    @Inject(AccessTokens) private readonly accessTokens: AccessTokens,
    @Inject(Outbox) private readonly outbox: Outbox,
    @Inject(AuthConfig) private readonly config: AuthConfig,
  ) {}

  /** Opens a family for this caller, with the event that tells of it. Throws `KmsUnavailable`. */
  async open(tx: Transaction, owner: SessionOwner, context: CallContext): Promise<Family> {
    const { delivery, userAgent } = clientOf(context);
    const made = await this.refreshTokens.newSecret();
    const family = await this.repository.open(tx, { owner, delivery, ...made });
    if (owner.sessionType === 'full') {
      const { accountId, userId } = owner;
      const fact = {
        account_id: accountId,
        user_id: userId,
        session_id: family.id,
        client_ip: context.clientIp,
        user_agent: userAgent,
      };
      await this.outbox.publish(tx, sessionOpened, fact, { requestId: context.requestId, accountId });
    }
    return family;
  }

  /** What the caller is given for this generation of an open family, once it is committed. */
  async answer(family: Family, generation = 1): Promise<OpenedSession> {
    const { user, account } = await this.parties.of(family.owner);
    return {
      access_token: await this.#accessToken(family),
      refresh_token: await this.refreshTokens.mint(family, generation),
      user,
      account,
    };
  }

  #accessToken({ id: sessionId, owner }: Family): Promise<string> {
    const session = { sessionId, clientId: this.config.OIDC_CLIENT_ID };
    if (owner.sessionType === 'identity_only')
      return this.accessTokens.signIdentityToken({ ...session, identityId: owner.identityId });
    return this.accessTokens.signAccessToken({ ...session, ...owner });
  }
}

/** The gateway tells it on every operation whose contract says `session`. */
export function clientOf({ client }: CallContext): SessionClient {
  if (!client) throw new Error('a session operation was called without its client');
  return client;
}

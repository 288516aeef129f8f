import { Injectable } from '@nestjs/common';
import type { CallContext, Event, SessionClient } from '@vaultsvc/contracts';
import { OpenedSession, sessionEnded, sessionOpened, type SessionChanged } from '@vaultsvc/contracts/auth';
import type { Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { AuthConfig } from '../config.js';
import { AccessTokens } from '../tokens/access-tokens.js';
import { RefreshTokens, type FamilySecret } from './refresh-tokens.js';
import { SessionProfileRepository } from './session-profile.repository.js';
import { SessionRepository, type Family, type SessionOwner } from './session.repository.js';

/** Opens and ends sessions, and issues their tokens. */
@Injectable()
export class SessionIssuer {
  constructor(
    private readonly repository: SessionRepository,
    private readonly parties: SessionProfileRepository,
    private readonly refreshTokens: RefreshTokens,
    private readonly accessTokens: AccessTokens,
    private readonly outbox: Outbox,
    private readonly config: AuthConfig,
  ) {}

  /** Opens a family and records the event. */
  async open(
    tx: Transaction,
    owner: SessionOwner,
    secret: FamilySecret,
    context: CallContext,
  ): Promise<Family> {
    const { delivery } = clientOf(context);
    const family = await this.repository.open(tx, { owner, delivery, ...secret });
    await this.#tell(tx, sessionOpened, family, context);
    return family;
  }

  /** Ends a family and records the event; resolves to false if it had ended or expired before. */
  async end(
    tx: Transaction,
    family: Pick<Family, 'id' | 'owner'>,
    context: CallContext,
    event: Event<SessionChanged> = sessionEnded,
  ): Promise<boolean> {
    const ended = await this.repository.end(tx, family.id);
    if (ended) await this.#tell(tx, event, family, context);
    return ended;
  }

  /** The reply for this generation of an open family. Call it after the commit. */
  async answer(family: Family, generation = 1, accessToken?: string): Promise<OpenedSession> {
    const { user, account } = await this.parties.of(family.owner);
    return {
      access_token: accessToken ?? (await this.accessToken(family)),
      refresh_token: await this.refreshTokens.mint(family, generation),
      user,
      account,
    };
  }

  /**
   * An access token of this family.
   * @throws NoSigningKey, KmsUnavailable
   */
  accessToken({ id: sessionId, owner }: Family): Promise<string> {
    const session = { sessionId, clientId: this.config.OIDC_CLIENT_ID };
    if (owner.sessionType === 'identity_only')
      return this.accessTokens.signIdentityToken({ ...session, identityId: owner.identityId });
    return this.accessTokens.signAccessToken({ ...session, ...owner });
  }

  /** A sign-in without an account belongs to no audit trail. */
  async #tell(
    tx: Transaction,
    event: Event<SessionChanged>,
    { id, owner }: Pick<Family, 'id' | 'owner'>,
    context: CallContext,
  ): Promise<void> {
    if (owner.sessionType !== 'full') return;
    const { accountId, userId } = owner;
    const who = { account_id: accountId, user_id: userId, session_id: id };
    // The call that ends another session of its user is no session operation, and has no client.
    const from = { client_ip: context.clientIp, user_agent: context.client?.userAgent ?? null };
    await this.outbox.publish(tx, event, { ...who, ...from }, { requestId: context.requestId, accountId });
  }
}

/** The gateway sends the client of every operation whose contract requires a session. */
export function clientOf({ client }: CallContext): SessionClient {
  if (!client) throw new Error('a session operation was called without its client');
  return client;
}

import { Injectable } from '@nestjs/common';
import { AppError, type CallContext } from '@vaultsvc/contracts';
import type { RegisteredSession } from '@vaultsvc/contracts/auth';
import type { Transaction } from '@vaultsvc/database';
import { identityOf } from '../actor.js';
import { SessionRecordWriter } from '../sessions/session-record-writer.js';
import { SessionRepository } from '../sessions/session.repository.js';
import type { AccountUser } from './identity.repository.js';
import { SessionOpener } from '../sessions/session-opener.js';

/** Makes an identity a user, in the transaction that opens the user's session. */
export type BecomeUser = (tx: Transaction, identityId: string) => Promise<AccountUser>;

/** Replaces the identity-only session of a caller by a full session of the user that the identity becomes. */
@Injectable()
export class SessionUpgrade {
  constructor(
    private readonly opening: SessionOpener,
    private readonly families: SessionRepository,
    private readonly records: SessionRecordWriter,
  ) {}

  /** @throws IDENTITY_SESSION_REQUIRED, the error of `become`, or AUTHENTICATION_ERROR; then nothing has changed */
  async run(context: CallContext, become: BecomeUser): Promise<RegisteredSession> {
    const { identityId, credentialId: oldSessionId } = identityOf(context);
    const { session } = await this.opening.open(async (tx) => {
      const user = await become(tx, identityId);
      // False: the session ended after the gateway's check, or Redis could not be updated. Then no session is opened.
      if (!(await this.families.end(tx, oldSessionId))) throw new AppError('AUTHENTICATION_ERROR');
      // If Redis is down, the old session is refused a minute later. Until then it only gets SIGNUP_COMPLETED, which is no
      // reason to fail this call.
      tx.afterCommit(() => this.records.renew([oldSessionId]));
      return { sessionType: 'full', accountId: user.accountId, userId: user.userId };
    }, context);
    const { user, account } = session;
    if (!user || !account) throw new Error('a session of a user without user or account');
    return { ...session, user, account };
  }
}

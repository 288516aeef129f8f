import { Injectable } from '@nestjs/common';
import { AppError, type CallContext, type IdentityCredential, type Input } from '@vaultsvc/contracts';
import { completeSignup, type OpenedSession } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { SessionRecords } from '../sessions/session-records.js';
import { SessionRepository } from '../sessions/session.repository.js';
import { Registration } from './registration.js';
import { SessionOpening } from './session-opening.js';

/** AUTH-09 to AUTH-12. The identity-only session ends, and a full one of the new owner begins. */
@Injectable()
export class CompleteSignup {
  constructor(
    private readonly opening: SessionOpening,
    private readonly registration: Registration,
    private readonly families: SessionRepository,
    private readonly records: SessionRecords,
  ) {}

  @Handles(completeSignup)
  async handle({ body }: Input<typeof completeSignup>, context: CallContext): Promise<OpenedSession> {
    const { identityId, credentialId: oldSessionId } = identityOf(context);
    const { organization_name: organizationName, full_name: fullName } = body;
    const request = { organizationName, fullName, requestId: context.requestId };
    return this.opening.open(async (tx) => {
      const user = await this.registration.register(tx, identityId, request);
      // False: it ended after the gateway looked, or while Redis could not be told. Then nobody is signed in.
      if (!(await this.families.end(tx, oldSessionId))) throw new AppError('AUTHENTICATION_ERROR');
      // Should Redis be away, the old session is refused a minute later; until then it can do nothing but be told that
      // the sign-up is complete. That is no reason to fail a sign-up that is.
      tx.afterCommit(() => this.records.renew([oldSessionId]));
      return { sessionType: 'full', ...user };
    }, context);
  }
}

/** The gateway lets nobody else through; a service does not rely on it. */
function identityOf({ credential }: CallContext): IdentityCredential {
  if (credential.kind === 'identity') return credential;
  throw new AppError('IDENTITY_SESSION_REQUIRED');
}

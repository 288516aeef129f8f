import { Injectable } from '@nestjs/common';
import { AppError, type CallContext, type IdentityCredential, type Input } from '@vaultsvc/contracts';
import { completeSignup, type OpenedSession } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { SessionRecordWriter } from '../sessions/session-record-writer.js';
import { SessionRepository } from '../sessions/session.repository.js';
import { AccountRegistration } from './account-registration.js';
import { SessionOpener } from './session-opener.js';

/** AUTH-09 to AUTH-12. Ends the identity-only session and opens a full session of the new owner. */
@Injectable()
export class CompleteSignup {
  constructor(
    private readonly opening: SessionOpener,
    private readonly registration: AccountRegistration,
    private readonly families: SessionRepository,
    private readonly records: SessionRecordWriter,
  ) {}

  @Handles(completeSignup)
  async handle({ body }: Input<typeof completeSignup>, context: CallContext): Promise<OpenedSession> {
    const { identityId, credentialId: oldSessionId } = identityOf(context);
    const { organization_name: organizationName, full_name: fullName } = body;
    const request = { organizationName, fullName, requestId: context.requestId };
    return this.opening.open(async (tx) => {
      const user = await this.registration.register(tx, identityId, request);
      // False: the session ended after the gateway's check, or Redis could not be updated. Then no session is opened.
      if (!(await this.families.end(tx, oldSessionId))) throw new AppError('AUTHENTICATION_ERROR');
      // If Redis is down, the old session is refused a minute later. Until then it only gets SIGNUP_COMPLETED, which is no
      // reason to fail this sign-up.
      tx.afterCommit(() => this.records.renew([oldSessionId]));
      return { sessionType: 'full', ...user };
    }, context);
  }
}

/** The gateway admits identity-only sessions alone; a service does not rely on that. */
function identityOf({ credential }: CallContext): IdentityCredential {
  if (credential.kind === 'identity') return credential;
  throw new AppError('IDENTITY_SESSION_REQUIRED');
}

import { Controller } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { completeSignup, type RegisteredSession } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { AccountRegistration } from './account-registration.js';
import { SessionUpgrade } from '../identity/session-upgrade.js';

/** AUTH-09 to AUTH-12. */
@Controller()
export class CompleteSignup {
  constructor(
    private readonly upgrade: SessionUpgrade,
    private readonly registration: AccountRegistration,
  ) {}

  @Handles(completeSignup)
  handle({ body }: Input<typeof completeSignup>, context: CallContext): Promise<RegisteredSession> {
    const { organization_name: organizationName, full_name: fullName } = body;
    const request = { organizationName, fullName: fullName || undefined, requestId: context.requestId };
    return this.upgrade.run(context, (tx, identityId) => this.registration.register(tx, identityId, request));
  }
}

import { Controller } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { acceptInvitation, type RegisteredSession } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { SessionUpgrade } from '../identity/session-upgrade.js';
import { InvitationAcceptance } from './invitation-acceptance.js';

@Controller()
export class AcceptInvitation {
  constructor(
    private readonly upgrade: SessionUpgrade,
    private readonly acceptance: InvitationAcceptance,
  ) {}

  @Handles(acceptInvitation)
  handle({ params }: Input<typeof acceptInvitation>, context: CallContext): Promise<RegisteredSession> {
    return this.upgrade.run(context, (tx, identityId) =>
      this.acceptance.accept(tx, params.invitation_id, identityId, context),
    );
  }
}

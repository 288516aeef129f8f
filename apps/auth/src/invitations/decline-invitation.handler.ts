import { Controller } from '@nestjs/common';
import { AppError, type CallContext, type Input } from '@vaultsvc/contracts';
import { declineInvitation, type DeclinedInvitation } from '@vaultsvc/contracts/auth';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { identityOf } from '../actor.js';
import { InvitationRemoval } from './invitation-removal.js';

@Controller()
export class DeclineInvitation {
  constructor(
    private readonly database: Database,
    private readonly removal: InvitationRemoval,
  ) {}

  @Handles(declineInvitation)
  async handle(
    { params }: Input<typeof declineInvitation>,
    context: CallContext,
  ): Promise<DeclinedInvitation> {
    const { identityId } = identityOf(context);
    const id = params.invitation_id;
    const isDeclined = await this.database.transaction((tx) =>
      this.removal.decline(tx, id, identityId, context.requestId),
    );
    if (!isDeclined) throw new AppError('INVITATION_NOT_FOUND');
    return { invitation_id: id, declined: true };
  }
}

import { Controller } from '@nestjs/common';
import { AppError, type Input } from '@vaultsvc/contracts';
import { describeInvitation, type InvitationText } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { InvitationRepository } from './invitation.repository.js';

@Controller()
export class DescribeInvitation {
  constructor(private readonly invitations: InvitationRepository) {}

  @Handles(describeInvitation)
  async handle({ body }: Input<typeof describeInvitation>): Promise<InvitationText> {
    const invitation = await this.invitations.describe(body.user_id);
    if (!invitation) throw new AppError('USER_NOT_FOUND');
    return invitation;
  }
}

import { Controller } from '@nestjs/common';
import { AppError, type CallContext, type Input } from '@vaultsvc/contracts';
import { withdrawShareInvite, type ShareInviteWithdrawn } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { IngotShareRepository } from './ingot-share.repository.js';

@Controller()
export class WithdrawShareInvite {
  constructor(private readonly shares: IngotShareRepository) {}

  @Handles(withdrawShareInvite)
  async handle(
    { body }: Input<typeof withdrawShareInvite>,
    { requestId }: CallContext,
  ): Promise<ShareInviteWithdrawn> {
    const outcome = await this.shares.withdrawInvite(body, body.invite_id, requestId);
    if (outcome === 'link') throw new AppError('LINK_NOT_FOUND');
    if (outcome === 'invite') throw new AppError('INVITE_NOT_FOUND');
    return {};
  }
}

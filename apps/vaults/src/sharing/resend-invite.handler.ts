import { Controller } from '@nestjs/common';
import { serviceContext, type Input, type VaultContext } from '@vaultsvc/contracts';
import { resendShareInvite } from '@vaultsvc/contracts/sparks';
import { resendInvite, type ResentInvite } from '@vaultsvc/contracts/vaults';
import { Bus, Handles } from '@vaultsvc/messaging';
import { VaultTransactionQueue } from '../vault/vault-transaction-queue.js';
import { InviteAccess, replaceLinkNotFound } from './invite-access.js';
import { linkActionOf } from './share-link-client.js';
import { ShareRepository } from './share.repository.js';

@Controller()
export class ResendInvite {
  constructor(
    private readonly transactions: VaultTransactionQueue,
    private readonly access: InviteAccess,
    private readonly shares: ShareRepository,
    private readonly bus: Bus,
  ) {}

  @Handles(resendInvite)
  async handle({ params }: Input<typeof resendInvite>, context: VaultContext): Promise<ResentInvite> {
    const { ingot, linkId, invite, lock } = await this.access.findInvite(params, context);
    const { invite_id } = invite;
    await this.shares.assertEnabled(ingot);
    await this.transactions.run(ingot, context.deadlineMs, lock);
    const call = { body: { ...linkActionOf(ingot, linkId, context), invite_id } };
    const sent = this.bus.call(resendShareInvite, call, serviceContext(context));
    return { invite_id, resent: true, ...(await replaceLinkNotFound(sent, 'INVITE_NOT_FOUND')) };
  }
}

import { Controller } from '@nestjs/common';
import { AppError, serviceContext, type Input, type VaultContext } from '@vaultsvc/contracts';
import { withdrawShareInvite } from '@vaultsvc/contracts/sparks';
import { revokeInvite, type RevokedInvite } from '@vaultsvc/contracts/vaults';
import { Bus, Handles } from '@vaultsvc/messaging';
import { InviteAccess, replaceLinkNotFound } from './invite-access.js';
import { ShareLifecycle } from './share-lifecycle.js';
import { linkActionOf } from './share-link-client.js';

@Controller()
export class RevokeInvite {
  constructor(
    private readonly access: InviteAccess,
    private readonly lifecycle: ShareLifecycle,
    private readonly bus: Bus,
  ) {}

  @Handles(revokeInvite)
  async handle({ params }: Input<typeof revokeInvite>, context: VaultContext): Promise<RevokedInvite> {
    const { ingot, linkId, invite, lock } = await this.access.findInvite(params, context);
    const { invite_id } = invite;
    if (!(await this.lifecycle.beginUpdate(ingot, linkId, lock, context)))
      throw new AppError('INVITE_NOT_FOUND');
    const call = { body: { ...linkActionOf(ingot, linkId, context), invite_id } };
    await replaceLinkNotFound(
      this.bus.call(withdrawShareInvite, call, serviceContext(context)),
      'INVITE_NOT_FOUND',
    );
    return { invite_id, revoked: true };
  }
}

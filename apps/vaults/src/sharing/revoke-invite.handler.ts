import { Injectable } from '@nestjs/common';
import { AppError, type Input, type VaultContext } from '@vaultsvc/contracts';
import { withdrawShareInvite } from '@vaultsvc/contracts/sparks';
import { revokeInvite, type RevokedInvite } from '@vaultsvc/contracts/vaults';
import { Bus, Handles } from '@vaultsvc/messaging';
import { InviteAccess, orGone } from './invite-access.js';
import { actOf, errandOf } from './share-links.js';
import { SharingChanges } from './sharing-changes.js';

@Injectable()
export class RevokeInvite {
  constructor(
    private readonly access: InviteAccess,
    private readonly changes: SharingChanges,
    private readonly bus: Bus,
  ) {}

  @Handles(revokeInvite)
  async handle({ params }: Input<typeof revokeInvite>, context: VaultContext): Promise<RevokedInvite> {
    const { ingot, linkId, invite, lock } = await this.access.findInvite(params, context);
    const { invite_id } = invite;
    if (!(await this.changes.update(ingot, linkId, lock, context))) throw new AppError('INVITE_NOT_FOUND');
    const call = { body: { ...actOf(ingot, linkId, context), invite_id } };
    await orGone(this.bus.call(withdrawShareInvite, call, errandOf(context)), 'INVITE_NOT_FOUND');
    return { invite_id, revoked: true };
  }
}

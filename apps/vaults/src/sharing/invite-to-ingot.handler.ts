import { Injectable } from '@nestjs/common';
import { AppError, identityKey, type Input, type VaultContext } from '@vaultsvc/contracts';
import { INGOT_INVITES_MAX, inviteToShare, type IngotShare } from '@vaultsvc/contracts/sparks';
import { inviteToIngot, type CreatedInvite } from '@vaultsvc/contracts/vaults';
import { Bus, Handles } from '@vaultsvc/messaging';
import { InviteAccess, orGone } from './invite-access.js';
import { actOf, errandOf } from './share-links.js';
import { ShareRepository } from './share.repository.js';
import { SharingChanges } from './sharing-changes.js';

@Injectable()
export class InviteToIngot {
  constructor(
    private readonly access: InviteAccess,
    private readonly shares: ShareRepository,
    private readonly changes: SharingChanges,
    private readonly bus: Bus,
  ) {}

  @Handles(inviteToIngot)
  async handle(
    { params, body: { identity } }: Input<typeof inviteToIngot>,
    context: VaultContext,
  ): Promise<CreatedInvite> {
    const shared = await this.access.find(params, context);
    const accountId = context.credential.accountId;
    await this.shares.assertEnabled({ vaultId: params.vault_id, accountId });
    if (!shared) throw new AppError('INGOT_NOT_SHARED');
    const { ingot, linkId, link, lock } = shared;
    assertRoom(link, identity);
    if (!(await this.changes.update(ingot, linkId, lock, context))) throw new AppError('INGOT_NOT_SHARED');
    const call = { body: { ...actOf(ingot, linkId, context), identity } };
    return orGone(this.bus.call(inviteToShare, call, errandOf(context)), 'INGOT_NOT_SHARED');
  }
}

/** Sparks decides; what is known before changes nothing here either. */
function assertRoom({ invites }: IngotShare, identity: string): void {
  const isTaken = invites.some((invite) => identityKey(invite.identity) === identityKey(identity));
  if (isTaken) throw new AppError('INVITE_TAKEN');
  if (invites.length >= INGOT_INVITES_MAX) throw new AppError('INVITES_EXHAUSTED');
}
